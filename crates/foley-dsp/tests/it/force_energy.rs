//! Energy delivered by sustained forces never exceeds the energy lost in the contact.

use crate::forces;

use foley_dsp::excitation::{AudioForce, ContactPatch, Coupling, Roll, Rolling, Scrape, Surface};
use forces::*;
use num_complex::Complex64;
use std::f64::consts::TAU;
use std::sync::Arc;

const SPACING_HZ: f64 = 124.0;

/// A body of modes with mass-normalised shapes φ at the contact.
struct Body {
    f: Vec<f64>,
    d: Vec<f64>,
    /// φ², 1/kg.
    mobile: f64,
}

impl Body {
    /// Makes a 2 kg plate with modes every 124 Hz from 60 Hz on.
    fn plate() -> Self {
        let f: Vec<f64> = (0..150).map(|n| 60.0 + SPACING_HZ * f64::from(n)).collect();
        let d = f.iter().map(|f| 6.0 + 2e-3 * f).collect();
        Self { f, d, mobile: 0.5 }
    }

    /// Returns Re Y(f) = Σ φ² Re iω/(ω_n² − ω² + 2 i d ω), s/kg.
    fn mobility(&self, hz: f64) -> f64 {
        let omega = TAU * hz;
        let mode = |(f, d): (&f64, &f64)| {
            let own = TAU * f;
            let below = Complex64::new(own * own - omega * omega, 2.0 * d * omega);
            (Complex64::new(0.0, omega) / below).re
        };
        self.mobile * self.f.iter().zip(&self.d).map(mode).sum::<f64>()
    }

    /// Returns Z from the mean over all modes: 1/Z = φ² π/2 per angular spacing (Skudrzyk).
    fn mean_impedance(&self) -> f64 {
        2.0 * TAU * SPACING_HZ / (std::f64::consts::PI * self.mobile)
    }

    /// Returns Z at the highest peak of the mobility.
    fn least_impedance(&self) -> f64 {
        1.0 / self.f.iter().map(|f| self.mobility(*f)).fold(0.0, f64::max)
    }

    /// Returns the energy that a force in N·s per sample delivers to the body, J: each sample
    /// changes the modal velocity q̇ by φ J, and the energy by φ J q̇ + φ² J²/2.
    fn received_j(&self, force: &[f32]) -> f64 {
        let mut energy = 0.0;
        for (f, d) in self.f.iter().zip(&self.d) {
            let z = (Complex64::new(-d, TAU * f) / RATE).exp();
            let phi = self.mobile.sqrt();
            // The real part is the velocity.
            let mut s = Complex64::ZERO;
            for j in force {
                let jump = phi * f64::from(*j);
                energy += jump * s.re + 0.5 * jump * jump;
                s = (s + jump) * z;
            }
        }
        energy
    }
}

/// All lost energy becomes vibration (η = 1), so that the bound is tight.
fn coupling(impedance_kg_s: f64) -> Coupling {
    Coupling { loss: 0.4, efficiency: 1.0, impedance_kg_s, ..Coupling::default() }
}

fn surfaces() -> [Surface; 3] {
    [Surface::fractal(-1.2).unwrap(), peaked(), ribs(0.9e-3)]
}

fn rolling(profile: &Arc<foley_dsp::excitation::Profile>, coupling: Coupling, body: &Body) -> Roll {
    let patch = ContactPatch { radius_m: 1e-3, modulus_pa: 2e11 };
    let rolling = Rolling { patch, enhancement: 0.9 };
    let (f, d) = (&body.f[..32], &body.d[..32]);
    Roll::new(Arc::clone(profile), coupling, rolling, f, d, 3).unwrap()
}

/// With the least impedance for Z the bound is strict for any surface.
#[test]
fn a_body_never_receives_more_than_the_contact_loses() {
    let body = Body::plate();
    let coupling = coupling(body.least_impedance());
    for surface in surfaces() {
        let profile = profile(&surface);
        for (v, force_n) in [(0.1, 3.0), (0.7, 0.5), (2.0, 1.0)] {
            let seconds = 2.0;
            let lost = coupling.loss * v * force_n * seconds;
            let mut scrape = Scrape::new(Arc::clone(&profile), coupling, 3).unwrap();
            let mut roll = rolling(&profile, coupling, &body);
            for force in [&mut scrape as &mut dyn AudioForce, &mut roll] {
                force.aim(motion(v, force_n), 100);
                let mut y = vec![0.0; (seconds * RATE) as usize];
                force.add(&mut y);
                let received = body.received_j(&y);
                assert!(received > 0.0, "{received} of {lost} J");
                foley_measured::check!("resonators.force_energy", 100.0 * received / lost);
            }
        }
    }
}

/// With the mean impedance for Z it holds on average over the modes: a broadband surface delivers
/// all of the lost energy and no more.
#[test]
fn a_broadband_surface_delivers_its_share() {
    let body = Body::plate();
    let coupling = coupling(body.mean_impedance());
    let profile = profile(&Surface::fractal(0.0).unwrap());
    for (v, force_n) in [(0.3, 3.0), (1.0, 1.0)] {
        let mut scrape = Scrape::new(Arc::clone(&profile), coupling, 3).unwrap();
        let y = steady(&mut scrape, motion(v, force_n), 10.0);
        let part = body.received_j(&y) / (coupling.loss * v * force_n * 10.0);
        println!("{v} m/s: {part:.3} of what was lost");
        // No modes exist below the first and above the last.
        foley_measured::check!("resonators.broadband_energy", part);
    }
}

/// The filters of rolling only attenuate.
#[test]
fn rolling_is_no_louder_than_sliding_at_the_same_loss() {
    let body = Body::plate();
    let coupling = coupling(50.0);
    for surface in surfaces() {
        let profile = profile(&surface);
        let mut scrape = Scrape::new(Arc::clone(&profile), coupling, 3).unwrap();
        let slid = body.received_j(&steady(&mut scrape, motion(0.8, 1.0), 4.0));
        let mut roll = rolling(&profile, coupling, &body);
        let rolled = body.received_j(&steady(&mut roll, motion(0.8, 1.0), 4.0));
        assert!(rolled < slid, "{rolled} {slid}");
    }
}
