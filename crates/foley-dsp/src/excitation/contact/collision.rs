//! The collision of two bodies that give way: force, duration, rebound and energies.
//!
//! Between the bodies acts the nonlinear spring of Hertz, with a loss of its own,
//!
//! ```text
//! F = k δ^{3/2} (1 + χ δ̇),   k = (4/3) E* √R*
//! ```
//!
//! (Hunt & Crossley, *J. Appl. Mech.* 42, 440 (1975)); the approach δ is what the motion of both bodies
//! leaves of it: rigid motion, the modes of each body at the point of contact, and the modes above
//! the last that is known ([`PointMobility`]):
//!
//! ```text
//! δ̈ = −F (1/m₁ + 1/m₂) − Σ z̈_n,   z̈_n + 2 d_n ż_n + ω_n² z_n = w_n F
//! ```
//!
//! Every linear part is advanced exactly for a force that is linear over a step; the force at the end
//! of the step follows from the spring by Newton's method. Restitution, duration and the energy that
//! each part takes are results. For a thin plate without reflections this is Zener's equation
//! (*Phys. Rev.* 59, 669 (1941)); for an immovable wall it is Hertz's.
//!
//! A body that vibrates may throw the other off and catch up with it, "sequences of very fast contact separations
//! and collisions" (\[FA\] §4.1). They are followed until the bodies part for good, or for a given patience.
//!
//! A contact resolves frequencies no finer than its own duration: modes within half a radian over it move
//! as one, so that a collision costs microseconds whatever the number of modes.

use super::point_mobility::{MobilityMode, PointMobility};
use super::{ContactError, ForceCurve, HERTZ_TIME, HertzPair, checked};

/// Steps within the contact time of Hertz.
const STEPS: f64 = 40.0;
/// Highest frequency that a contact sees, in units of 1/τ, rad: beyond it the pulse has −60 dB.
const HIGHEST: f64 = 20.0;
/// Widest range of modes that move as one, in units of one over the simulated time, or relative to their frequency:
/// what lasts long is smooth, and pushes fast modes as springs.
const BIN_RAD: f64 = 1.0;
const BIN_RELATIVE: f64 = 0.04;
/// Longest contact, in units of the contact time of Hertz.
const LONGEST: f64 = 512.0;
/// Longest step, in units of the contact time of Hertz.
const LONGEST_STEP: f64 = 0.05;
/// Steps between two looks at bodies that do not touch; a power of two.
const FLIGHT: usize = 8;
/// Bodies have parted when their distance is this many times the rms vibration.
const CLEAR: f64 = 3.0;
/// A contact ends when its force falls below this part of the greatest.
const END: f64 = 1e-5;

/// Where the energy of a collision went, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CollisionEnergy {
    /// Kinetic energy of the approach before, ½ m* v².
    pub before_j: f64,
    /// Kinetic energy of the separation, both bodies as rigid ones.
    pub after_j: f64,
    /// Lost in the contact itself.
    pub contact_j: f64,
    /// Handed to the modes of the bodies.
    pub modes_j: f64,
    /// Handed to the modes above those.
    pub above_j: f64,
}

impl CollisionEnergy {
    /// Returns the sum of what was before and of all parts after, J: finite if all are.
    fn total_j(&self) -> f64 {
        self.before_j + self.after_j + self.contact_j + self.modes_j + self.above_j
    }

    /// Returns what the bodies, as rigid ones, have lost, J.
    pub fn lost_j(&self) -> f64 {
        self.before_j - self.after_j
    }
}

/// A solved collision.
#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    /// The force over time.
    pub force: ForceCurve,
    /// Rebound: speed of separation over speed of approach, of the bodies as rigid ones.
    pub restitution: f64,
    /// Where the energy went.
    pub energy: CollisionEnergy,
}

/// Two bodies about to collide.
#[derive(Debug, Clone, Copy)]
pub struct Approach<'a> {
    /// Elasticity and curvature of the pair; its masses are not used.
    pub pair: HertzPair,
    /// Relative normal speed, m/s.
    pub speed_m_s: f64,
    /// Restitution of the contact itself: what the same pair would have if nothing gave way. 1 is elastic.
    pub contact_restitution: f64,
    /// Both bodies at the point of contact.
    pub bodies: [&'a PointMobility; 2],
    /// How long bodies that part are followed, lest they meet again, s.
    pub patience_s: f64,
}

/// Length of a sequence of contacts, s (\[FA\] §4.1).
pub const PATIENCE_S: f64 = 0.015;

impl Approach<'_> {
    /// Solves the collision; `None` at speed 0.
    pub fn collide(&self) -> Result<Option<Collision>, ContactError> {
        let finite = |x: f64| x >= 0.0 && x.is_finite();
        let (v, must) = (self.speed_m_s, "0 or positive, and finite");
        let v = checked("speed of the impact (m/s)", v, must, finite(v))?;
        let e = self.contact_restitution;
        let e = checked("restitution", e, "0 to 1", (0.0..=1.0).contains(&e))?;
        let inverse_mass: f64 = self.bodies.iter().map(|body| body.inverse_mass).sum();
        let positive = inverse_mass > 0.0 && inverse_mass.is_finite();
        checked("sum of inverse masses (1/kg)", inverse_mass, "positive and finite", positive)?;
        if v == 0.0 {
            return Ok(None);
        }
        let stiffness = 4.0 / 3.0 * self.pair.modulus_pa() * self.pair.radius_m().sqrt();
        let hertz_s = HERTZ_TIME
            * (1.0 / (inverse_mass * self.pair.modulus_pa())).powf(0.4)
            * (self.pair.radius_m() * v).powf(-0.2);
        checked(
            "contact time (s)",
            hertz_s,
            "positive and at most 1000",
            hertz_s > 0.0 && hertz_s <= 1000.0,
        )?;
        let spring = Spring { stiffness, damping: hunt_crossley(e) / v };
        // What lasts long is smooth: its steps may be longer.
        let (mut time_s, mut step_s) = (2.0 * hertz_s, hertz_s / STEPS);
        loop {
            let last = time_s >= LONGEST * hertz_s;
            let mut system = System::new(self.bodies, inverse_mass, hertz_s, time_s, step_s);
            if let Some(collision) = system.run(&spring, v, self.patience_s, last) {
                // Valid extremes can still overflow when combined.
                let j = collision.energy.total_j() + collision.force.impulse_ns();
                checked("energy of the collision (J)", j, "finite", j.is_finite())?;
                return Ok(Some(collision));
            }
            time_s *= 4.0;
            step_s = (2.0 * step_s).min(LONGEST_STEP * hertz_s);
        }
    }
}

/// Returns χ v of a contact whose restitution is e between immovable bodies.
///
/// Integrating `dv/dδ = −F/(m v)` for F = k δ^{3/2} (1 + χ δ̇) gives `χ v (1 + e) = ln((1 + χ v)/(1 − χ v e))`
/// with the speeds v before and e v after. The difference is convex from the root on, so Newton's steps from
/// beyond it fall to it.
fn hunt_crossley(e: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    // At e → 0 the damping grows without bound.
    let e = e.max(0.02);
    let start = (1.0 - (1.0 + 1.0 / e) * (-(1.0 + e) / e).exp()) / e;
    let mut c = start.min((1.0 - 1e-12) / e);
    for _ in 0..100 {
        let surplus = c.ln_1p() - (-c * e).ln_1p() - c * (1.0 + e);
        let slope = 1.0 / (1.0 + c) + e / (1.0 - c * e) - (1.0 + e);
        let next = c - surplus / slope;
        if !(next > 0.0 && next < c * (1.0 - 1e-14)) {
            break;
        }
        c = next;
    }
    c
}

/// The spring between the bodies.
struct Spring {
    /// k, N/m^{3/2}.
    stiffness: f64,
    /// χ, s/m.
    damping: f64,
}

impl Spring {
    /// Returns force and depth at the end of a step: `δ = free − compliance F`, by Newton's method from `guess`.
    fn balance(
        &self,
        free: f64,
        compliance: f64,
        before: f64,
        step_s: f64,
        guess: f64,
    ) -> (f64, f64) {
        if !(free > 0.0 && free.is_finite()) {
            return (0.0, free);
        }
        let (before, damping) = (before.max(0.0), self.damping / step_s);
        let force = |depth: f64| {
            let rate = 1.0 + damping * (depth - before);
            let root = self.stiffness * depth.sqrt();
            let elastic = root * depth;
            match rate > 0.0 {
                true => (elastic * rate, 1.5 * root * rate + elastic * damping),
                false => (0.0, 0.0),
            }
        };
        // The surplus grows with the depth: bisection guards Newton's steps.
        let [mut low, mut high] = [0.0, free];
        let mut depth = guess.clamp(0.0, free);
        for _ in 0..60 {
            let (f, slope) = force(depth);
            let surplus = depth + compliance * f - free;
            if surplus > 0.0 {
                high = depth
            } else {
                low = depth
            }
            let step = -surplus / (1.0 + compliance * slope);
            let next = depth + step;
            // The error that a step of Newton leaves is of the order of its square.
            if step.abs() <= 1e-7 * next {
                return ((f + slope * step).max(0.0), next);
            }
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            if (next - depth).abs() <= 1e-13 * free {
                return (force(next).0, next);
            }
            depth = next;
        }
        (force(depth).0, depth)
    }
}

/// Oscillators of a [`Group`].
const LANES: usize = 8;

/// Modes that move as one, advanced exactly over steps with a linear force: `ẏ = (−d + iω) y + w F`, `z = Im y / ω`.
struct Oscillators {
    groups: Vec<Group>,
    count: usize,
}

/// Oscillators side by side; those not in use are zero.
#[derive(Default)]
struct Group {
    re: [f64; LANES],
    im: [f64; LANES],
    /// e^{(−d + iω) h}.
    turn_re: [f64; LANES],
    turn_im: [f64; LANES],
    /// Weights of the force at the start and at the end of a step.
    start_re: [f64; LANES],
    start_im: [f64; LANES],
    end_re: [f64; LANES],
    end_im: [f64; LANES],
    /// e^{(−d + iω) h} to the power [`FLIGHT`].
    flight_re: [f64; LANES],
    flight_im: [f64; LANES],
    /// 1/ω.
    inverse_omega: [f64; LANES],
    weight: [f64; LANES],
}

impl Oscillators {
    /// Makes an empty set, with room for as many oscillators as most collisions need.
    fn new() -> Self {
        Self { groups: Vec::with_capacity(64 / LANES), count: 0 }
    }

    fn push(&mut self, mode: &MobilityMode, h: f64) {
        let lane = self.count % LANES;
        if lane == 0 {
            self.groups.push(Group::default());
        }
        self.count += 1;
        let Some(group) = self.groups.last_mut() else { return };
        let StepFactors { exp, start, end } = StepFactors::new([-mode.decay * h, mode.omega * h]);
        let weight = mode.weight * h;
        (group.turn_re[lane], group.turn_im[lane]) = (exp[0], exp[1]);
        (group.start_re[lane], group.start_im[lane]) = (weight * start[0], weight * start[1]);
        (group.end_re[lane], group.end_im[lane]) = (weight * end[0], weight * end[1]);
        let flight = (0..FLIGHT.ilog2()).fold(exp, |x, _| times(x, x));
        (group.flight_re[lane], group.flight_im[lane]) = (flight[0], flight[1]);
        group.inverse_omega[lane] = 1.0 / mode.omega;
        group.weight[lane] = mode.weight;
    }

    /// Advances by a step with this force at its start and none at its end; returns Σ z.
    fn advance(&mut self, force: f64) -> f64 {
        let mut sums = [0.0; LANES];
        for g in &mut self.groups {
            for (i, sum) in sums.iter_mut().enumerate() {
                let (a, b) = (g.re[i], g.im[i]);
                g.re[i] = g.turn_re[i] * a - g.turn_im[i] * b + g.start_re[i] * force;
                g.im[i] = g.turn_re[i] * b + g.turn_im[i] * a + g.start_im[i] * force;
                *sum += g.im[i] * g.inverse_omega[i];
            }
        }
        sums.iter().sum()
    }

    /// Returns the sum of a figure of every oscillator.
    fn sum(&self, each: impl Fn(&Group, usize) -> f64) -> f64 {
        let mut sums = [0.0; LANES];
        for group in &self.groups {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += each(group, i);
            }
        }
        sums.iter().sum()
    }

    /// Returns Σ z after a flight without force.
    fn after_flight(&self) -> f64 {
        self.sum(|g, i| (g.flight_re[i] * g.im[i] + g.flight_im[i] * g.re[i]) * g.inverse_omega[i])
    }

    /// Advances by a flight without force.
    fn fly(&mut self) {
        for g in &mut self.groups {
            for i in 0..LANES {
                let (a, b) = (g.re[i], g.im[i]);
                g.re[i] = g.flight_re[i] * a - g.flight_im[i] * b;
                g.im[i] = g.flight_re[i] * b + g.flight_im[i] * a;
            }
        }
    }

    /// Returns Σ |z|², the mean square of the displacement, twice.
    fn square_m2(&self) -> f64 {
        self.sum(|g, i| {
            (g.re[i] * g.re[i] + g.im[i] * g.im[i]) * g.inverse_omega[i] * g.inverse_omega[i]
        })
    }

    /// Adds what the force at the end of the step does.
    fn add_end(&mut self, force: f64) {
        for g in &mut self.groups {
            for i in 0..LANES {
                g.re[i] += g.end_re[i] * force;
                g.im[i] += g.end_im[i] * force;
            }
        }
    }

    /// Returns the displacement by a unit force at the end of a step.
    fn compliance(&self) -> f64 {
        self.sum(|g, i| g.end_im[i] * g.inverse_omega[i])
    }

    /// Returns the energy |y|²/2w.
    fn energy_j(&self) -> f64 {
        self.sum(|g, i| match g.weight[i] > 0.0 {
            true => (g.re[i] * g.re[i] + g.im[i] * g.im[i]) / (2.0 * g.weight[i]),
            false => 0.0,
        })
    }
}

/// Returns the product of complex numbers.
fn times(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// 1/(n+2)!.
const INVERSE_FACTORIALS: [f64; 14] = {
    let (mut all, mut factorial, mut n) = ([0.0; 14], 1.0, 0);
    while n < 14 {
        factorial *= (n + 2) as f64;
        all[n] = 1.0 / factorial;
        n += 1;
    }
    all
};

/// How a step acts on an oscillator with x = (−d + iω) h.
pub(super) struct StepFactors {
    /// e^x.
    pub(super) exp: [f64; 2],
    /// ∫₀¹ e^{x(1−s)} (1 − s) ds, of the force at the start.
    pub(super) start: [f64; 2],
    /// ∫₀¹ e^{x(1−s)} s ds, of the force at the end.
    pub(super) end: [f64; 2],
}

impl StepFactors {
    pub(super) fn new(x: [f64; 2]) -> Self {
        let square = x[0] * x[0] + x[1] * x[1];
        if square < 0.25 {
            // The end is Σ xⁿ/(n+2)!; all else follows from it.
            let add = |sum, c: &f64| {
                let product = times(sum, x);
                [product[0] + c, product[1]]
            };
            let end = INVERSE_FACTORIALS.iter().rev().fold([0.0; 2], add);
            let both = add(end, &1.0);
            let exp = add(both, &1.0);
            return Self { exp, start: [both[0] - end[0], both[1] - end[1]], end };
        }
        let size = x[0].exp();
        let (sin, cos) = x[1].sin_cos();
        let exp = [size * cos, size * sin];
        let inverse = [x[0] / square, -x[1] / square];
        let inverse2 = times(inverse, inverse);
        // (e^x (x − 1) + 1)/x² and (e^x − 1 − x)/x².
        let product = times(exp, [x[0] - 1.0, x[1]]);
        let start = times([product[0] + 1.0, product[1]], inverse2);
        let end = times([exp[0] - 1.0 - x[0], exp[1] - x[1]], inverse2);
        Self { exp, start, end }
    }
}

/// All that moves.
struct System {
    step_s: f64,
    time_s: f64,
    /// 1/m* of the rigid bodies.
    inverse_mass: f64,
    modes: Oscillators,
    above: Oscillators,
    /// Static compliance of what lies above the highest frequency, m/N.
    residual: f64,
}

impl System {
    fn new(
        bodies: [&PointMobility; 2],
        inverse_mass: f64,
        hertz_s: f64,
        time_s: f64,
        step_s: f64,
    ) -> Self {
        let bin = BIN_RAD / time_s;
        let highest = HIGHEST / hertz_s;
        let mut system = Self {
            step_s,
            time_s,
            inverse_mass,
            modes: Oscillators::new(),
            above: Oscillators::new(),
            residual: 0.0,
        };
        for body in bodies {
            system.residual += add_in_bins(&mut system.modes, &body.modes, bin, highest, step_s);
            if body.weight_above > 0.0 {
                let mut omega = body.above;
                while omega < highest {
                    let width = bin.max(BIN_RELATIVE * omega);
                    let mode = MobilityMode {
                        omega: omega + 0.5 * width,
                        decay: 0.0,
                        weight: body.weight_above * width,
                    };
                    system.above.push(&mode, step_s);
                    omega += width;
                }
                system.residual += body.weight_above / omega;
            }
        }
        system
    }

    /// Lets the bodies collide; `None` when it is not over at the end of the simulated time.
    fn run(&mut self, spring: &Spring, v: f64, patience_s: f64, last: bool) -> Option<Collision> {
        let h = self.step_s;
        let compliance = self.residual
            + self.inverse_mass * h * h / 6.0
            + self.modes.compliance()
            + self.above.compliance();
        let (mut rigid, mut speed) = (0.0, v);
        let (mut force, mut depth, mut greatest) = (0.0, 0.0, 0.0f64);
        let steps = (self.time_s / h).ceil() as usize;
        let mut forces = Vec::with_capacity(steps + 1 + FLIGHT);
        forces.push(0.0);
        // Depths of the last steps in contact, from which the next follows roughly.
        let mut depths = [0.0; 3];
        let (mut impulse, mut work, mut duration_s) = (0.0, 0.0, h);
        let mut over = false;
        while forces.len() <= steps && !over {
            if force == 0.0 && forces.len() > 2 {
                let time_s = h * forces.len() as f64;
                let square_m2 = self.modes.square_m2() + self.above.square_m2();
                over = speed <= 0.0
                    && (time_s >= patience_s || -depth > CLEAR * (0.5 * square_m2).sqrt());
                let flight_s = h * FLIGHT as f64;
                let given = self.modes.after_flight() + self.above.after_flight();
                if !over && rigid + flight_s * speed < given {
                    self.modes.fly();
                    self.above.fly();
                    rigid += flight_s * speed;
                    depth = rigid - given;
                    forces.resize(forces.len() + FLIGHT, 0.0);
                    continue;
                }
            }
            let given = self.modes.advance(force) + self.above.advance(force);
            rigid += h * speed - self.inverse_mass * h * h / 3.0 * force;
            let guess = depths[0] + 3.0 * (depths[2] - depths[1]);
            let (mut next, next_depth) = spring.balance(rigid - given, compliance, depth, h, guess);
            depths = [depths[1], depths[2], next_depth];
            // The last of a contact that fades away.
            if next < END * greatest && next < force {
                next = 0.0;
            }
            self.modes.add_end(next);
            self.above.add_end(next);
            rigid -= self.inverse_mass * h * h / 6.0 * next;
            speed -= self.inverse_mass * h * 0.5 * (force + next);
            impulse += 0.5 * h * (force + next);
            work += 0.5 * (force + next) * (next_depth.max(0.0) - depth.max(0.0));
            if force > 0.0 && next == 0.0 {
                // The depth vanishes within the step.
                let part = if next_depth < 0.0 { depth / (depth - next_depth) } else { 1.0 };
                duration_s = h * ((forces.len() - 1) as f64 + part.clamp(0.0, 1.0));
            }
            (force, depth) = (next, next_depth);
            forces.push(force);
            greatest = greatest.max(force);
        }
        if !over && !last {
            return None;
        }
        let end = forces.iter().rposition(|f| *f > 0.0).map_or(1, |k| k + 2);
        forces.resize(end, 0.0);
        let reduced = 1.0 / self.inverse_mass;
        let energy = CollisionEnergy {
            before_j: 0.5 * reduced * v * v,
            after_j: 0.5 * reduced * speed * speed,
            contact_j: work,
            modes_j: self.modes.energy_j(),
            above_j: self.above.energy_j(),
        };
        let force = ForceCurve::new(h, forces, impulse, duration_s);
        Some(Collision { force, restitution: -speed / v, energy })
    }
}

/// Adds modes to oscillators, those within `bin` rad/s as one. Modes above `highest` act as springs:
/// returns their compliance.
fn add_in_bins(
    oscillators: &mut Oscillators,
    modes: &[MobilityMode],
    bin: f64,
    highest: f64,
    step_s: f64,
) -> f64 {
    let mut residual = 0.0;
    let mut first = 0;
    while first < modes.len() {
        let start = modes[first].omega;
        if start >= highest {
            let springs = modes[first..].iter().map(|m| m.weight / (m.omega * m.omega));
            residual += springs.sum::<f64>();
            break;
        }
        let end = start + bin.max(BIN_RELATIVE * start);
        let count = modes[first..].iter().take_while(|m| m.omega < end).count();
        let group = &modes[first..first + count];
        let weight: f64 = group.iter().map(|m| m.weight).sum();
        if weight > 0.0 {
            let mean = |of: fn(&MobilityMode) -> f64| {
                group.iter().map(|m| m.weight * of(m)).sum::<f64>() / weight
            };
            let mode = MobilityMode { omega: mean(|m| m.omega), decay: mean(|m| m.decay), weight };
            oscillators.push(&mode, step_s);
        }
        first += count;
    }
    residual
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::excitation::Striker;
    use crate::model::ContactBody;
    use foley_measured::check;
    use std::f64::consts::PI;

    const WALL: ContactBody =
        ContactBody { mass_kg: 1e6, young_pa: 2e11, poisson: 0.29, radius_m: f64::INFINITY };

    fn steel_ball() -> (Striker, HertzPair) {
        let ball = Striker::named("steel ball").unwrap();
        (ball, HertzPair::new(&ball, &WALL).unwrap())
    }

    fn solve(
        pair: HertzPair,
        speed_m_s: f64,
        e: f64,
        a: &PointMobility,
        b: &PointMobility,
    ) -> Collision {
        let (contact_restitution, bodies) = (e, [a, b]);
        let approach =
            Approach { pair, speed_m_s, contact_restitution, bodies, patience_s: PATIENCE_S };
        approach.collide().unwrap().unwrap()
    }

    /// Restitution and duration of Zener's equation σ″ + (1 + λ d/dτ) σ^{3/2} = 0 with σ(0) = 0,
    /// σ′(0) = 1, by Runge–Kutta steps. The ball moves with w = σ + λ ∫ σ^{3/2}.
    fn zener(lambda: f64) -> (f64, f64) {
        let force = |s: f64| s.max(0.0).powf(1.5);
        // (σ, w′): σ′ = w′ − λ F, w″ = −F.
        let rate = |[s, u]: [f64; 2]| [u - lambda * force(s), -force(s)];
        let (mut y, mut t, h) = ([0.0, 1.0], 0.0, 2e-5);
        loop {
            let add = |a: [f64; 2], k: [f64; 2], c: f64| [a[0] + c * k[0], a[1] + c * k[1]];
            let k1 = rate(y);
            let k2 = rate(add(y, k1, 0.5 * h));
            let k3 = rate(add(y, k2, 0.5 * h));
            let k4 = rate(add(y, k3, h));
            for c in 0..2 {
                y[c] += h / 6.0 * (k1[c] + 2.0 * k2[c] + 2.0 * k3[c] + k4[c]);
            }
            t += h;
            if y[0] <= 0.0 || t > 200.0 {
                return (-y[1], t);
            }
        }
    }

    #[test]
    fn the_damping_of_the_contact_solves_its_equation() {
        for e in [0.05, 0.1, 0.3, 0.5, 0.8, 0.95, 0.999, 0.999_999] {
            let c = hunt_crossley(e);
            // Relative to the cubic terms, which decide the root near e = 1.
            let surplus = c.ln_1p() - (-c * e).ln_1p() - c * (1.0 + e);
            assert!(c > 0.0 && c < 1.0 / e && surplus.abs() < 1e-8 * c.powi(3), "{e}: {c}");
        }
        assert_eq!(hunt_crossley(1.0), 0.0);
        assert!((0.02 * hunt_crossley(0.0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn an_immovable_wall_gives_the_contact_of_hertz() {
        let (ball, pair) = steel_ball();
        let [ball, wall] = [ball.mass_kg, f64::INFINITY].map(PointMobility::rigid);
        for v in [0.01, 1.0, 20.0] {
            let found = solve(pair, v, 1.0, &ball, &wall);
            let time = found.force.duration_s() / pair.contact_time_s(v) - 1.0;
            let impulse = found.force.impulse_ns() / (2.0 * 0.0328 * v);
            println!("{v} m/s: time {time:+.4}, restitution {:.5}, {impulse}", found.restitution);
            check!("contact.hertz_duration", 100.0 * time.abs());
            check!("contact.hertz_restitution", (found.restitution - 1.0).abs());
        }
    }

    #[test]
    fn a_lossy_contact_rebounds_as_it_is_told() {
        let (ball, pair) = steel_ball();
        let [ball, wall] = [ball.mass_kg, f64::INFINITY].map(PointMobility::rigid);
        for e in [0.05, 0.3, 0.5, 0.8, 0.95] {
            let found = solve(pair, 1.0, e, &ball, &wall);
            println!("{e}: {:.4}", found.restitution);
            check!("contact.lossy_restitution", (found.restitution - e).abs());
            let lost = found.energy.before_j - found.energy.after_j;
            assert!((found.energy.contact_j / lost - 1.0).abs() < 0.02);
        }
    }

    #[test]
    fn a_thin_plate_gives_way_as_zener_says() {
        let (ball, pair) = steel_ball();
        let v = 1.0;
        let k = 4.0 / 3.0 * pair.modulus_pa() * pair.radius_m().sqrt();
        let time = (ball.mass_kg / (k * f64::sqrt(v))).powf(0.4);
        for lambda in [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0] {
            let plate = PointMobility::infinite_plate(lambda * time / ball.mass_kg);
            let found = solve(pair, v, 1.0, &PointMobility::rigid(ball.mass_kg), &plate);
            let (e, duration) = zener(lambda);
            let ratio = found.force.duration_s() / (duration * time);
            println!("λ {lambda}: e {:.4} ({e:.4}), duration × {ratio:.4}", found.restitution);
            check!("contact.zener_restitution", (found.restitution - e).abs());
            check!("contact.zener_duration", 100.0 * (ratio - 1.0).abs());
        }
    }

    /// Modes of a large supported plate at its centre, up to some frequency, and what continues above them,
    /// are the infinite plate before the first reflection: wherever the modes end.
    #[test]
    fn a_modal_sum_and_what_continues_it_are_one_plate() {
        let (ball, pair) = steel_ball();
        // 4 mm of glass, 3 m wide.
        let (h, density, young, poisson, side) = (4e-3, 2500.0, 7e10, 0.22, 3.0f64);
        let bending = young * h * h * h / (12.0 * (1.0 - poisson * poisson));
        let wave = f64::sqrt(bending / (density * h));
        let mobility = 1.0 / (8.0 * f64::sqrt(bending * density * h));
        let striker = PointMobility::rigid(ball.mass_kg);
        let infinite = solve(pair, 1.0, 1.0, &striker, &PointMobility::infinite_plate(mobility));
        for highest_hz in [5e3, 20e3, 60e3] {
            let mut modes = vec![];
            for m in (1..600).step_by(2) {
                for n in (1..600).step_by(2) {
                    let (m, n) = (f64::from(m), f64::from(n));
                    let omega = wave * (PI / side).powi(2) * (m * m + n * n);
                    let weight = 4.0 / (density * h * side * side);
                    if omega < 2.0 * PI * highest_hz {
                        modes.push(MobilityMode { omega, decay: 0.0, weight });
                    }
                }
            }
            modes.sort_by(|a, b| a.omega.total_cmp(&b.omega));
            let plate = PointMobility::rigid(f64::INFINITY).with_modes(modes);
            let above = plate.weight_above * PI / 2.0 / mobility;
            let found = solve(pair, 1.0, 1.0, &striker, &plate);
            println!(
                "to {highest_hz} Hz: above × {above:.3}, e {:.4} of {:.4}, duration {:.4e} of {:.4e}",
                found.restitution,
                infinite.restitution,
                found.force.duration_s(),
                infinite.force.duration_s()
            );
            check!("contact.modal_sum_above", 100.0 * (above - 1.0).abs());
            check!(
                "contact.modal_sum_restitution",
                (found.restitution - infinite.restitution).abs()
            );
            for f in [1e3, 4e3, 10e3, 20e3] {
                let [a, b] = [&found, &infinite].map(|c| c.force.spectrum(2.0 * PI * f).norm());
                check!("contact.modal_sum_spectrum", (20.0 * (a / b).log10()).abs());
            }
        }
    }

    /// Modes of a bar, each by itself, in small Runge–Kutta steps.
    fn naive(
        pair: HertzPair,
        mass: f64,
        v: f64,
        modes: &[MobilityMode],
        dt: f64,
        steps: usize,
    ) -> Vec<f64> {
        let k = 4.0 / 3.0 * pair.modulus_pa() * pair.radius_m().sqrt();
        let n = modes.len();
        let depth = |y: &[f64]| y[0] - (0..n).map(|i| y[2 + 2 * i]).sum::<f64>();
        let rate = |y: &[f64]| {
            let f = k * depth(y).max(0.0).powf(1.5);
            let mut r = vec![y[1], -f / mass];
            for (i, m) in modes.iter().enumerate() {
                let (z, u) = (y[2 + 2 * i], y[3 + 2 * i]);
                r.push(u);
                r.push(m.weight * f - 2.0 * m.decay * u - (m.omega.powi(2) + m.decay.powi(2)) * z);
            }
            r
        };
        let mut y = vec![0.0; 2 + 2 * n];
        y[1] = v;
        let mut forces = vec![0.0];
        for _ in 0..steps {
            let add = |k: &[f64], c: f64| -> Vec<f64> {
                y.iter().zip(k).map(|(a, b)| a + c * b).collect()
            };
            let k1 = rate(&y);
            let k2 = rate(&add(&k1, 0.5 * dt));
            let k3 = rate(&add(&k2, 0.5 * dt));
            let k4 = rate(&add(&k3, dt));
            for (i, y) in y.iter_mut().enumerate() {
                *y += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
            forces.push(k * depth(&y).max(0.0).powf(1.5));
        }
        forces
    }

    #[test]
    fn modes_that_move_as_one_give_the_force_of_each_by_itself() {
        let (ball, pair) = steel_ball();
        for (first_hz, mass) in [(300.0, 0.2), (60.0, 0.05), (2000.0, 1.0)] {
            let modes: Vec<MobilityMode> = (0..40)
                .map(|i| {
                    let omega = 2.0 * PI * first_hz * f64::from(1 + i).powf(1.3);
                    let weight = (1.0 + 0.5 * f64::from(i * 7 % 5)) / mass;
                    MobilityMode { omega, decay: 5.0, weight }
                })
                .collect();
            let dt = pair.contact_time_s(1.0) / 2000.0;
            let steps = (PATIENCE_S / dt) as usize;
            let forces = naive(pair, ball.mass_kg, 1.0, &modes, dt, steps);
            let impulse = dt * forces.iter().sum::<f64>();
            let duration_s = dt * (forces.len() - 1) as f64;
            let exact = ForceCurve::new(dt, forces, impulse, duration_s);
            let body = PointMobility::rigid(f64::INFINITY)
                .with_modes(modes)
                .with_weight_above(0.0, f64::INFINITY);
            let found = solve(pair, 1.0, 1.0, &PointMobility::rigid(ball.mass_kg), &body);
            let ratio = found.force.impulse_ns() / exact.impulse_ns();
            println!(
                "{first_hz} Hz: {:.3e} s of {:.3e} s, impulse × {ratio:.4}, e {:.3}",
                found.force.duration_s(),
                exact.duration_s(),
                found.restitution
            );
            check!("contact.naive_impulse", 100.0 * (ratio - 1.0).abs());
            for f in [200.0, 2e3, 8e3, 16e3] {
                let [a, b] = [&found.force, &exact].map(|c| c.spectrum(2.0 * PI * f).norm());
                let error = (a - b).abs() / exact.impulse_ns();
                // In the second case sixty contacts follow each other: small differences grow.
                let most = if first_hz == 60.0 { 0.05 } else { 0.01 };
                assert!(error < most, "{f} Hz: {a} {b}");
            }
        }
    }

    #[test]
    fn energy_is_conserved() {
        let (ball, pair) = steel_ball();
        for (mass, e, spacing) in [(0.02, 1.0, 300.0), (0.5, 0.7, 40.0), (5.0, 0.9, 900.0)] {
            let modes = (1..60).map(|i| {
                let omega = 2.0 * PI * spacing * f64::from(i);
                MobilityMode { omega, decay: 0.0, weight: 2.0 / mass }
            });
            let body = PointMobility::rigid(mass).with_modes(modes);
            let found = solve(pair, 2.0, e, &PointMobility::rigid(ball.mass_kg), &body).energy;
            let sum = found.after_j + found.contact_j + found.modes_j + found.above_j;
            println!("{found:?}: × {:.5}", sum / found.before_j);
            check!("contact.energy", 100.0 * (sum / found.before_j - 1.0).abs());
            assert!(found.modes_j > 0.0 && found.above_j >= 0.0);
        }
    }

    /// The samples hold the impulse and have the spectrum of the curve.
    #[test]
    fn samples_have_the_spectrum_of_the_curve() {
        let (ball, pair) = steel_ball();
        let soft = Striker { young_pa: 1e6, ..ball };
        let soft = HertzPair::new(&soft, &WALL).unwrap();
        let [striker, wall] = [ball.mass_kg, 2.0].map(PointMobility::rigid);
        for (pair, f_s) in [(pair, 48e3), (soft, 48e3), (soft, 44.1e3)] {
            let curve = solve(pair, 1.0, 0.6, &striker, &wall).force;
            for start in [100.0, 100.4] {
                let (first, samples) = curve.samples(f_s, start);
                let sum: f64 = samples.iter().copied().map(f64::from).sum();
                assert!((sum / curve.impulse_ns() - 1.0).abs() < 1e-5);
                let largest = curve.spectrum(0.0).norm();
                for f in [0.0, 500.0, 3e3, 9e3, 17e3] {
                    let omega = 2.0 * PI * f;
                    let centre = start + curve.centre_s() * f_s;
                    let term = |(n, x): (usize, &f32)| {
                        let t = (first as f64 + n as f64 - centre) / f_s;
                        num_complex::Complex64::from_polar(f64::from(*x), -omega * t)
                    };
                    let found: num_complex::Complex64 = samples.iter().enumerate().map(term).sum();
                    let error = (found - curve.spectrum(omega)).norm() / largest;
                    println!("{:.1e} s, {f} Hz: {error:.1e}", curve.duration_s());
                    // Short pulses are not sampled, but may begin a sequence of contacts.
                    let most = if curve.duration_s() < 1e-3 { 0.05 } else { 2e-3 };
                    assert!(error < most, "{f} Hz: {error}");
                }
            }
        }
    }
}
