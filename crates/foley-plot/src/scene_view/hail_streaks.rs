//! Hail as motion-blurred streaks: falling stones, and rebounding ones for a short time.

use foley_hail::{LIFE_AFTER_IMPACT_S, Trajectory};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::sonify::HailGeometry;
use glam::{DVec2, DVec3};

use crate::surface::view::View;

/// Most streaks in a frame.
const MOST_STREAKS: usize = 4_000;
/// Most stones that are examined for a frame; many lie outside it.
const MOST_EXAMINED: f64 = 16_000.0;
/// Exposure time, s: a streak is the path in that time.
const EXPOSURE_S: f64 = 1.0 / 90.0;
/// Margin around the framed area, as a fraction of its size.
const MARGIN: f64 = 0.5;
/// Least width of a streak, as a fraction of the framed width.
const WIDTH: f64 = 1.4e-3;

/// The stones of a scene at any time.
pub(crate) struct HailStreaks {
    geometry: HailGeometry,
    /// Every `stride`-th stone is examined, the same ones in each frame.
    stride: u64,
}

/// A streak: four corners in the view's coordinates.
pub(crate) type Streak = [DVec3; 4];

/// A stone on its trajectory, `t_s` after the trajectory began.
struct FlyingStone {
    index: u64,
    trajectory: Trajectory,
    t_s: f64,
    radius_m: f64,
}

impl HailStreaks {
    /// Makes the hail of a scene; `None` where no stones fall. A trace has no trajectories.
    pub(crate) fn over(scene: &Scene, prepared: &Prepared) -> Option<Self> {
        scene.hail.filter(|hail| hail.per_second > 0.0 && scene.trace.is_none())?;
        // The scene was rendered before: this does not fail.
        let geometry = HailGeometry::new(scene, prepared).ok().flatten()?;
        let simulation = geometry.simulation();
        let seen_s = simulation.max_flight_s() + LIFE_AFTER_IMPACT_S;
        let at_once = seen_s * simulation.emitter().settings().per_second;
        Some(Self { stride: (at_once / MOST_EXAMINED).ceil().max(1.0) as u64, geometry })
    }

    /// Returns the streaks at a time within the framed area (left bottom, right top).
    pub(crate) fn streaks(&self, at_s: f64, view: &View, shown: [[f64; 2]; 2]) -> Vec<Streak> {
        let side = [0, 1].map(|k| shown[1][k] - shown[0][k]).into_iter().fold(0.0, f64::max);
        // The picture is larger than the framed area in one direction.
        let about = MARGIN * side;
        let is_shown = |p: DVec3| {
            [0, 1].iter().all(|k| p[*k] > shown[0][*k] - about && p[*k] < shown[1][*k] + about)
        };
        let simulation = self.geometry.simulation();
        let born =
            simulation.stones_born(at_s - simulation.max_flight_s() - LIFE_AFTER_IMPACT_S, at_s);
        let first = born.start.next_multiple_of(self.stride);
        let chosen = (first..born.end).step_by(self.stride as usize);
        let mut seen: Vec<(u64, Streak)> = chosen
            .filter_map(|index| self.stone(index, at_s))
            .map(|stone| (stone.index, stone.streak(view, WIDTH * side)))
            .filter(|(_, streak)| is_shown(streak[0]))
            .collect();
        let mut every = self.stride;
        while seen.len() > MOST_STREAKS {
            every = every.saturating_mul(2);
            seen.retain(|(index, _)| index.is_multiple_of(every));
        }
        seen.into_iter().map(|(_, streak)| streak).collect()
    }

    /// Returns a stone if it is visible at this time.
    fn stone(&self, index: u64, at_s: f64) -> Option<FlyingStone> {
        let simulation = self.geometry.simulation();
        let stone = simulation.emitter().stone(index);
        let age_s = at_s - stone.born_s;
        if age_s < 0.0 {
            return None;
        }
        let (radius_m, hit) = (stone.radius_m, simulation.first_hit(&stone.trajectory));
        match hit {
            Some(hit) if hit.t_s <= age_s => {
                let bounce = simulation.emitter().bounce(&stone, &hit, self.geometry.restitution());
                let t_s = at_s - bounce.from_s;
                let trajectory = bounce.trajectory;
                (t_s < bounce.life_s).then_some(FlyingStone { index, trajectory, t_s, radius_m })
            }
            _ => {
                let gone_s = stone.trajectory.sinks_below(simulation.targets().bounds().lo[2])?;
                let trajectory = stone.trajectory;
                (age_s < gone_s).then_some(FlyingStone { index, trajectory, t_s: age_s, radius_m })
            }
        }
    }
}

impl FlyingStone {
    /// Returns the path during the exposure, facing the viewer.
    fn streak(&self, view: &View, least_m: f64) -> Streak {
        let began_s = (self.t_s - EXPOSURE_S).max(0.0);
        let [from, to] =
            [began_s, self.t_s].map(|t_s| view.of(self.trajectory.position_at(t_s).into()));
        let half = 0.5 * least_m.max(2.0 * self.radius_m);
        let along = to.truncate() - from.truncate();
        let far = along.length();
        // A stone that flies towards the viewer is a dot.
        let along = if far > half { along / far } else { DVec2::Y };
        let from = if far > half { from } else { to - half * DVec3::Y };
        let beside = |p: DVec3, w: f64| p + w * along.perp().extend(0.0);
        [beside(to, half), beside(to, -half), beside(from, -half), beside(from, half)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(per_second: f64) -> Scene {
        Scene::parse(&format!(
            "[hail]\nper_second = {per_second}\nfrom_s = -5\ncloud = {{ position = [0, 0, 6], size = [1, 1] }}\n\
             [[object]]\nshape = \"plate:2000x2000x10mm\"\nmaterial = \"steel\"\nmotion = \"fixed\""
        ))
        .unwrap()
    }

    #[test]
    fn stones_fall_where_they_should_and_leap_off() {
        let scene = scene(500.0);
        let hail = HailStreaks::over(&scene, &scene.prepare_geometry().unwrap()).unwrap();
        let view = View::from(-90.0, 0.0, "");
        let up = |streak: &Streak| streak[0][1];
        let streaks = hail.streaks(1.0, &view, [[-9.0, -9.0], [9.0, 9.0]]);
        // Six metres at 7 to 13 m/s, and 0.4 s more.
        assert!((400..700).contains(&streaks.len()), "{}", streaks.len());
        assert!(streaks.iter().all(|s| up(s) < 6.0));
        let long = |s: &Streak| s[0].distance(s[3]);
        // Above rebounding stones, and after a full exposure.
        let falling: Vec<&Streak> =
            streaks.iter().filter(|s| (1.5..5.8).contains(&up(s))).collect();
        assert!(falling.iter().all(|s| (0.07..0.15).contains(&long(s))), "as fast as they fall");
        // The same stone a little later is lower.
        let later = hail.streaks(1.001, &view, [[-9.0, -9.0], [9.0, 9.0]]);
        let near = |s: &Streak| later.iter().any(|l| (0.006..0.014).contains(&(up(s) - up(l))));
        assert!(streaks.iter().filter(|s| (2.1..4.9).contains(&up(s))).all(near));
    }

    #[test]
    fn a_million_stones_a_second_are_few_in_the_picture() {
        let scene = scene(1e6);
        let hail = HailStreaks::over(&scene, &scene.prepare_geometry().unwrap()).unwrap();
        let view = View::from(-90.0, 24.0, "");
        let count = hail.streaks(2.0, &view, [[-9.0, -9.0], [9.0, 9.0]]).len();
        assert!((MOST_STREAKS / 2 - 200..=MOST_STREAKS).contains(&count), "{count}");
        assert!(hail.streaks(2.0, &view, [[18.0, 18.0], [19.0, 19.0]]).is_empty());
    }

    #[test]
    fn no_hail_has_none() {
        let scene = scene(0.0);
        assert!(HailStreaks::over(&scene, &scene.prepare_geometry().unwrap()).is_none());
    }
}
