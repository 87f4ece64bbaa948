//! Profile curves (r, z) of surfaces of revolution.

/// A curve of pieces that meet in corners. Each piece is a fine polyline.
pub(super) struct Profile {
    pieces: Vec<Vec<[f64; 2]>>,
}

impl Profile {
    pub(super) fn new() -> Self {
        Self { pieces: Vec::new() }
    }

    /// Adds a straight piece.
    pub(super) fn line(mut self, from: [f64; 2], to: [f64; 2]) -> Self {
        self.pieces.push(vec![from, to]);
        self
    }

    /// Adds an arc about a centre; angles in degrees from the direction of r.
    pub(super) fn arc(mut self, centre: [f64; 2], radius: f64, from: f64, to: f64) -> Self {
        let point = |i: u32| {
            let angle = (from + (to - from) * f64::from(i) / 256.0).to_radians();
            let at = [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()];
            // Points on the axis lie exactly on it.
            [if at[0] < 1e-12 { 0.0 } else { at[0] }, at[1]]
        };
        self.pieces.push((0..=256).map(point).collect());
        self
    }

    /// Adds a Catmull–Rom spline through points, its ends extended by mirroring.
    pub(super) fn through(mut self, points: &[[f64; 2]]) -> Self {
        let last = points.len() - 1;
        let mirror = |p: [f64; 2], q: [f64; 2]| [2.0 * p[0] - q[0], 2.0 * p[1] - q[1]];
        let mut piece = vec![points[0]];
        for i in 0..last {
            let before = if i == 0 { mirror(points[0], points[1]) } else { points[i - 1] };
            let (a, b) = (points[i], points[i + 1]);
            let after =
                if i + 1 == last { mirror(points[last], points[last - 1]) } else { points[i + 2] };
            for step in 1..=64 {
                let s = f64::from(step) / 64.0;
                piece.push([0, 1].map(|k| {
                    let slope = [0.5 * (b[k] - before[k]), 0.5 * (after[k] - a[k])];
                    let (s2, s3) = (s * s, s * s * s);
                    (2.0 * s3 - 3.0 * s2 + 1.0) * a[k]
                        + (s3 - 2.0 * s2 + s) * slope[0]
                        + (3.0 * s2 - 2.0 * s3) * b[k]
                        + (s3 - s2) * slope[1]
                }));
            }
        }
        self.pieces.push(piece);
        self
    }

    /// Returns points along the curve, even in each piece and about `step` apart.
    pub(super) fn points(&self, step: f64) -> Vec<[f64; 2]> {
        let mut points: Vec<[f64; 2]> = Vec::new();
        for piece in &self.pieces {
            let even = evenly(piece, step);
            // Where two pieces meet, rounding must not make two rings of one.
            let meets = |p: &[f64; 2]| (p[0] - even[0][0]).hypot(p[1] - even[0][1]) < 1e-9;
            let joins = usize::from(points.last().is_some_and(meets));
            points.extend(&even[joins..]);
        }
        points
    }

    /// Returns the outline of a wall of thickness `t` around this curve. One end of the curve lies
    /// on the axis, the other is the rim.
    pub(super) fn both_sides(&self, step: f64, t: f64) -> Vec<[f64; 2]> {
        let middle = self.points(step);
        let side = |by: f64| -> Vec<[f64; 2]> {
            (0..middle.len()).map(|i| offset(&middle, i, by)).collect()
        };
        let (mut outside, mut inside) = (side(0.5 * t), side(-0.5 * t));
        inside.reverse();
        if middle[0][0] == 0.0 {
            outside.extend(inside);
            outside
        } else {
            inside.extend(outside);
            inside
        }
    }
}

/// Returns a point offset to the right of the direction of travel; on the axis, along the axis.
fn offset(curve: &[[f64; 2]], i: usize, by: f64) -> [f64; 2] {
    let (before, after) = (curve[i.saturating_sub(1)], curve[(i + 1).min(curve.len() - 1)]);
    let here = curve[i];
    let (dr, dz) = (after[0] - before[0], after[1] - before[1]);
    if here[0] == 0.0 {
        return [0.0, here[1] - by * dr.signum()];
    }
    let length = dr.hypot(dz);
    [here[0] + by * dz / length, here[1] - by * dr / length]
}

fn evenly(piece: &[[f64; 2]], step: f64) -> Vec<[f64; 2]> {
    let distance = |w: &[[f64; 2]]| (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1]);
    let total: f64 = piece.windows(2).map(distance).sum();
    let count = (total / step).round().max(1.0) as usize;
    let mut points = vec![piece[0]];
    let mut passed = 0.0;
    for w in piece.windows(2) {
        let length = distance(w);
        while points.len() < count {
            let s = (total * points.len() as f64 / count as f64 - passed) / length;
            if s > 1.0 {
                break;
            }
            points.push([0, 1].map(|k| w[0][k] + s * (w[1][k] - w[0][k])));
        }
        passed += length;
    }
    points.push(piece[piece.len() - 1]);
    points
}
