//! Hertz contact: duration and impulse of a collision of two elastic bodies.
//!
//! Near the contact both bodies deform as one spring that stiffens with the depth x,
//! `F = (4/3) E* √R* x^{3/2}`, acting on the reduced mass:
//!
//! ```text
//! 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂     1/R* = 1/R₁ + 1/R₂     1/m* = 1/m₁ + 1/m₂
//! m* ẍ = −(4/3) E* √R* x^{3/2},  ẋ(0) = v
//! ```
//!
//! The contact ends after `τ = C (m*² / (R* E*² v))^{1/5}`, where energy conservation
//! gives `C = 2 (15/16)^{2/5} ∫₀¹ du/√(1 − u^{5/2}) = 2.868…` (Johnson, *Contact
//! Mechanics*, 1985, §11.4, where it is rounded to 2.87). Stiff pairs sound bright, soft pairs
//! dull; a faster impact is shorter.
//!
//! The transferred momentum is `J = (1 + e) m* v` with the coefficient of restitution e: 0 for a
//! perfectly inelastic collision, 1 for an elastic one.
//!
//! Real-time: nothing here allocates or panics.

use super::{ContactError, Impact, Striker, checked};
use crate::model::ContactBody;

/// C = 2 (15/16)^{2/5} (2/5) B(2/5, 1/2), the dimensionless contact time.
pub const HERTZ_TIME: f64 = 2.868_265_699_195_33;

/// Coefficient of restitution of an unknown pair: halfway between an inelastic (0) and an elastic
/// (1) collision. The level differs from either by at most 3.5 dB; the spectrum does not change.
pub const DEFAULT_RESTITUTION: f64 = 0.5;

/// A striker and a body reduced to one spring and one mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HertzPair {
    mass_kg: f64,
    radius_m: f64,
    modulus_pa: f64,
}

/// Radius of edges and corners where both bodies count as flat, m. Assumed, not measured: the
/// order of a broken edge of an everyday object.
const EDGE_M: f64 = 2e-3;

impl HertzPair {
    /// Reduces two bodies to a pair. Either radius may be infinite, but not both.
    pub fn new(striker: &Striker, body: &ContactBody) -> Result<Self, ContactError> {
        let Striker { mass_kg, radius_m, young_pa, poisson } = *striker;
        let m1 = positive("striker's mass (kg)", mass_kg)?;
        let m2 = positive("body's mass (kg)", body.mass_kg)?;
        let r1 = radius("striker's radius (m)", radius_m)?;
        let r2 = radius("body's radius (m)", body.radius_m)?;
        let names = ["striker's Young's modulus (Pa)", "striker's Poisson's ratio"];
        let e1 = plane_strain(young_pa, poisson, names)?;
        let names = ["body's Young's modulus (Pa)", "body's Poisson's ratio"];
        let e2 = plane_strain(body.young_pa, body.poisson, names)?;
        if r1.is_infinite() && r2.is_infinite() {
            return Err(ContactError::BothFlat);
        }
        let reduced = |a: f64, b: f64| 1.0 / (1.0 / a + 1.0 / b);
        // Valid extremes can still overflow when combined.
        Ok(Self {
            mass_kg: positive("reduced mass (kg)", reduced(m1, m2))?,
            radius_m: positive("reduced radius (m)", reduced(r1, r2))?,
            modulus_pa: positive("reduced modulus (Pa)", reduced(e1, e2))?,
        })
    }

    /// Reduces two bodies that hit each other to a pair. Where both count as flat, an edge or a corner of one
    /// meets the other.
    pub fn of_bodies(a: &ContactBody, b: &ContactBody) -> Result<Self, ContactError> {
        let both_flat = a.radius_m.is_infinite() && b.radius_m.is_infinite();
        Self::new(&Striker { radius_m: if both_flat { EDGE_M } else { a.radius_m }, ..*a }, b)
    }

    /// m*, kg.
    pub fn mass_kg(&self) -> f64 {
        self.mass_kg
    }

    /// R*, m.
    pub fn radius_m(&self) -> f64 {
        self.radius_m
    }

    /// E*, Pa.
    pub fn modulus_pa(&self) -> f64 {
        self.modulus_pa
    }

    /// Returns τ, s, at the relative speed v; infinite at v = 0.
    pub fn contact_time_s(&self, speed_m_s: f64) -> f64 {
        HERTZ_TIME
            * (self.mass_kg / self.modulus_pa).powf(0.4)
            * (self.radius_m * speed_m_s).powf(-0.2)
    }

    /// Returns the stiffness dF/dx of the contact under a static load F, N/m: `F = K x^{3/2}` with K = (4/3) E* √R*
    /// has the slope `(3/2) K^{2/3} F^{1/3}`.
    pub fn stiffness_n_m(&self, load_n: f64) -> f64 {
        let k = 4.0 / 3.0 * self.modulus_pa * self.radius_m.sqrt();
        1.5 * (k * k * load_n.max(0.0)).cbrt()
    }

    /// Returns the impact at relative normal speed v ≥ 0 with restitution e (see
    /// [`DEFAULT_RESTITUTION`]); `None` at v = 0.
    pub fn impact(&self, speed_m_s: f64, restitution: f64) -> Result<Option<Impact>, ContactError> {
        let v = checked(
            "speed of the impact (m/s)",
            speed_m_s,
            "0 or positive, and finite",
            speed_m_s >= 0.0 && speed_m_s.is_finite(),
        )?;
        let in_range = (0.0..=1.0).contains(&restitution);
        let e = checked("restitution", restitution, "0 to 1", in_range)?;
        if v == 0.0 {
            return Ok(None);
        }
        Impact::new((1.0 + e) * self.mass_kg * v, self.contact_time_s(v)).map(Some)
    }
}

fn positive(what: &'static str, value: f64) -> Result<f64, ContactError> {
    checked(what, value, "positive and finite", value > 0.0 && value.is_finite())
}

fn radius(what: &'static str, value: f64) -> Result<f64, ContactError> {
    checked(what, value, "positive (infinite when flat)", value > 0.0)
}

/// Returns the plane-strain modulus E/(1 − ν²).
fn plane_strain(young_pa: f64, nu: f64, names: [&'static str; 2]) -> Result<f64, ContactError> {
    let young_pa = positive(names[0], young_pa)?;
    let nu = checked(names[1], nu, "above -1 and at most 0.5", nu > -1.0 && nu <= 0.5)?;
    Ok(young_pa / (1.0 - nu * nu))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slope of F(x), by a difference.
    #[test]
    fn the_stiffness_is_the_slope_of_the_force() {
        let pair = pair("steel ball");
        let force = |x: f64| 4.0 / 3.0 * pair.modulus_pa() * pair.radius_m().sqrt() * x.powf(1.5);
        for x in [1e-8, 1e-6, 1e-4] {
            let slope = (force(1.0001 * x) - force(0.9999 * x)) / (0.0002 * x);
            assert!((pair.stiffness_n_m(force(x)) / slope - 1.0).abs() < 1e-6);
        }
        assert_eq!(pair.stiffness_n_m(0.0), 0.0);
    }

    const BLOCK: ContactBody =
        ContactBody { mass_kg: 10.0, young_pa: 2e11, poisson: 0.29, radius_m: f64::INFINITY };

    fn pair(name: &str) -> HertzPair {
        HertzPair::new(&Striker::named(name).unwrap(), &BLOCK).unwrap()
    }

    /// Integrates m* ẍ = −(4/3) E* √R* x^{3/2} until the bodies separate.
    fn integrated_contact_time_s(pair: &HertzPair, v: f64) -> f64 {
        let k = 4.0 / 3.0 * pair.modulus_pa * pair.radius_m.sqrt() / pair.mass_kg;
        let acceleration = |x: f64| -k * x.max(0.0).powf(1.5);
        let dt = pair.contact_time_s(v) / 20_000.0;
        let (mut x, mut u, mut t) = (0.0, v, 0.0);
        // Velocity Verlet: second order, conserves energy.
        loop {
            let half = u + 0.5 * dt * acceleration(x);
            let next = x + dt * half;
            if next <= 0.0 {
                return t + dt * x / (x - next);
            }
            u = half + 0.5 * dt * acceleration(next);
            (x, t) = (next, t + dt);
        }
    }

    #[test]
    fn the_constant_of_the_contact_time_follows_from_the_equation_of_motion() {
        for (name, v) in [("steel ball", 1.0), ("rubber eraser", 0.2), ("glass marble", 5.0)] {
            let pair = pair(name);
            let ratio = integrated_contact_time_s(&pair, v) / pair.contact_time_s(v);
            println!("{name}");
            foley_measured::check!("resonators.hertz_time", (ratio - 1.0).abs());
        }
    }

    /// By hand: m* = 0.0328 kg, E* = 109.2 GPa, R* = 10 mm.
    #[test]
    fn steel_on_steel_touches_for_tens_of_microseconds_and_rubber_for_milliseconds() {
        let steel = pair("steel ball").contact_time_s(1.0);
        assert!((steel - 70.5e-6).abs() < 0.5e-6, "{steel}");
        let small = Striker::sphere(0.005, foley_geometry::constants::STEEL);
        let small = HertzPair::new(&small, &BLOCK).unwrap().contact_time_s(1.0);
        assert!((small - 35.3e-6).abs() < 0.3e-6, "{small}");
        let rubber = pair("rubber eraser").contact_time_s(1.0);
        assert!((1e-3..10e-3).contains(&rubber), "{rubber}");
    }

    #[test]
    fn twice_the_speed_is_twice_the_impulse_in_a_shorter_time() {
        let pair = pair("wooden mallet");
        let [slow, fast] = [0.7, 1.4].map(|v| pair.impact(v, 0.3).unwrap().unwrap());
        assert!((fast.impulse_ns() / slow.impulse_ns() - 2.0).abs() < 1e-12);
        let shorter = fast.duration_s() / slow.duration_s();
        assert!((shorter - 2f64.powf(-0.2)).abs() < 1e-12);
    }

    #[test]
    fn a_softer_striker_stays_longer() {
        let ball = Striker::named("steel ball").unwrap();
        let times: Vec<f64> = (0..60)
            .map(|i| Striker { young_pa: 1e12 / 1.5f64.powi(i), ..ball })
            .map(|s| HertzPair::new(&s, &BLOCK).unwrap().contact_time_s(1.0))
            .collect();
        assert!(times.windows(2).all(|t| t[1] > t[0]));
        // When the striker is much softer than the block, time scales as E^{−2/5}.
        let last = times[59] / times[58];
        assert!((last - 1.5f64.powf(0.4)).abs() < 1e-6, "{last}");
    }

    /// Momentum: a ball that bounces off an immovable wall with e = 1 gives it 2 m v.
    #[test]
    fn the_impulse_is_the_change_of_momentum() {
        let ball = Striker::named("steel ball").unwrap();
        let wall = ContactBody { mass_kg: 1e12, ..BLOCK };
        let pair = HertzPair::new(&ball, &wall).unwrap();
        let j = pair.impact(3.0, 1.0).unwrap().unwrap().impulse_ns();
        let error = (j / (2.0 * ball.mass_kg * 3.0) - 1.0).abs();
        foley_measured::check!("resonators.momentum", error);
    }

    #[test]
    fn errors_name_the_invalid_quantity() {
        let ball = Striker::named("steel ball").unwrap();
        let error = |s: Striker, b: ContactBody| HertzPair::new(&s, &b).unwrap_err().to_string();
        assert!(
            error(Striker { mass_kg: 0.0, ..ball }, BLOCK).contains("striker's mass (kg) is 0")
        );
        assert!(error(Striker { young_pa: f64::NAN, ..ball }, BLOCK).contains("striker's Young"));
        assert!(error(Striker { poisson: 0.6, ..ball }, BLOCK).contains("striker's Poisson"));
        assert!(error(ball, ContactBody { poisson: -1.0, ..BLOCK }).contains("body's Poisson"));
        assert!(error(ball, ContactBody { radius_m: -1.0, ..BLOCK }).contains("body's radius"));
        assert!(error(Striker { radius_m: f64::INFINITY, ..ball }, BLOCK).contains("both flat"));
        let pair = pair("steel ball");
        assert_eq!(pair.impact(0.0, 0.5), Ok(None));
        for (v, e) in [(-1.0, 0.5), (f64::NAN, 0.5), (f64::INFINITY, 0.5), (1.0, 1.1), (1.0, -0.1)]
        {
            assert!(pair.impact(v, e).is_err(), "{v} {e}");
        }
    }
}
