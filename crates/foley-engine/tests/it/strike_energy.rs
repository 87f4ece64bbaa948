//! Energy balance of strikes: it closes, no strike radiates more than it had, and the rendered sound carries what it states.

use foley_dsp::excitation::Striker;
use foley_dsp::model::ModalModel;
use foley_engine::{MetresPerSecond, Offline, Settings, Source, SurfacePoint};
use foley_geometry::constants::AIR_IMPEDANCE_PA_S_M;
use foley_geometry::mesh::Density;
use foley_modal::energy::{ContactPoint, EnergyBalance, KnownDecays};
use foley_modal::source::{Loaded, ModelOptions, ModelSource};
use foley_modal::support::loss_factor;
use foley_modal::{Held, HeldBody, Material};
use std::f64::consts::PI;

const RATE_HZ: f64 = 48_000.0;
const DRUM: &str = "membrane:350mm,tension=2000N/m,density=0.26kg/m2";
/// Modes of a strike do not overlap where the power that two share is in the mean below this part.
const APART: f64 = 0.02;
/// Strikes that radiate less of their energy are not compared with their sound.
const FAINT: f64 = 1e-4;

/// A body in a material with strikes: striker, way of holding, place along x and y from the middle over half of the size, m/s.
type Struck = (&'static str, &'static str, &'static [(&'static str, Held, [f64; 2], f64)]);

/// All shapes, all strikers, all ways of holding.
const STRIKES: &[Struck] = &[
    (
        "bar:300x30x8mm",
        "steel",
        &[
            ("steel ball", Held::Free, [0.7, 0.0], 1.0),
            ("rubber eraser", Held::Resting, [0.9, 0.0], 1.0),
        ],
    ),
    (
        "bar:300x30x8mm",
        "aluminium",
        &[
            ("steel ball", Held::Free, [0.7, 0.0], 1.0),
            ("wooden mallet", Held::Hand, [0.3, 0.0], 2.0),
        ],
    ),
    ("bar:200x20x3mm,ends=cantilever", "rosewood", &[("fingertip", Held::Free, [0.9, 0.0], 0.5)]),
    (
        "rod:400x10mm",
        "brass",
        &[
            ("glass marble", Held::Hung, [0.8, 0.0], 1.0),
            ("felt mallet", Held::Resting, [0.4, 0.0], 0.5),
        ],
    ),
    ("rod:250x2mm", "steel", &[("fingernail", Held::Hand, [0.6, 0.0], 1.0)]),
    (
        "plate:500x500x4mm",
        "glass",
        &[
            ("steel ball", Held::Free, [0.37, 0.27], 1.0),
            ("knuckle", Held::Resting, [0.2, 0.5], 1.0),
        ],
    ),
    (
        "plate:300x300x1mm",
        "aluminium",
        &[
            ("steel ball", Held::Free, [0.37, 0.27], 1.0),
            ("fingertip", Held::Hand, [0.6, 0.1], 1.0),
        ],
    ),
    (
        "plate:300x300x1mm",
        "steel",
        &[
            ("steel ball", Held::Free, [0.37, 0.27], 1.0),
            ("hailstone", Held::Resting, [0.1, 0.3], 10.0),
        ],
    ),
    (
        "plate:600x400x20mm",
        "hardwood",
        &[
            ("knuckle", Held::Resting, [0.4, 0.3], 1.0),
            ("wooden mallet", Held::Free, [0.1, 0.2], 2.0),
        ],
    ),
    ("plate:300x200x3mm,edges=clamped", "pmma", &[("hard plastic", Held::Free, [0.2, 0.4], 1.0)]),
    ("plate:400x300x5mm,edges=supported", "plywood", &[("drumstick", Held::Free, [0.5, 0.2], 2.0)]),
    (
        "disc:200x3mm",
        "bronze",
        &[
            ("pebble", Held::Hung, [0.8, 0.0], 1.0),
            ("hard plastic", Held::Hand, [0.3, 0.3], 3.0),
            ("steel ball", Held::Free, [0.2, 0.6], 1.0),
        ],
    ),
    (
        DRUM,
        "plastic",
        &[
            ("drumstick", Held::Free, [0.37, 0.27], 1.0),
            ("felt mallet", Held::Free, [0.0, 0.6], 2.0),
        ],
    ),
    (
        "string:650x1mm,tension=70N",
        "steel",
        &[
            ("fingernail", Held::Free, [0.8, 0.0], 1.0),
            ("wooden mallet", Held::Free, [0.5, 0.0], 0.3),
        ],
    ),
    (
        "bowl",
        "ceramic",
        &[
            ("fingernail", Held::Resting, [0.9, 0.3], 1.0),
            ("glass marble", Held::Hand, [-0.9, 0.2], 1.0),
        ],
    ),
    ("bell", "bronze", &[("steel ball", Held::Hung, [0.9, 0.0], 2.0)]),
    ("wine-glass", "glass", &[("hard plastic", Held::Resting, [0.8, 0.2], 0.5)]),
    ("marimba-bar", "rosewood", &[("felt mallet", Held::Resting, [0.1, 0.3], 1.0)]),
];

fn load(text: &str, material: &str) -> Loaded {
    let source = ModelSource::parse(text).unwrap();
    let options = ModelOptions::default().with_material(material);
    let options = match &source {
        // Fewer modes of meshes: they take long.
        ModelSource::Builtin(_) => {
            options.with_density(Density::Coarse).with_max_hz(6e3).with_compress(false)
        }
        _ => options,
    };
    source.load(&options, None).unwrap_or_else(|error| panic!("{text} {material}: {error}"))
}

/// A strike with its balance.
struct Followed {
    model: ModalModel,
    point: SurfacePoint,
    striker: Striker,
    speed_m_s: f64,
    balance: EnergyBalance,
}

impl Followed {
    fn new(loaded: &Loaded, material: &str, held: Held, strike: (&str, [f64; 2], f64)) -> Self {
        let (name, place, speed_m_s) = strike;
        let loss_factor = loss_factor(Material::named(material).unwrap());
        let body = HeldBody::new(&loaded.model).with_loss_factor(loss_factor);
        let support = held.decays(&body).unwrap();
        let model = held.model(&body).unwrap();
        let points = model.points.iter().map(|p| glam::DVec3::from(*p));
        let [low, high] = foley_geometry::vector::bounds(points).unwrap();
        let at =
            0.5 * (low + high) + 0.5 * (high - low) * glam::DVec3::new(place[0], place[1], 1.0);
        let point = SurfacePoint::At(at.to_array());
        let striker = Striker::named(name).unwrap();
        let known = KnownDecays { viscosity: &loaded.viscosity_decays, support: &support };
        let gains = point.gains(&model).unwrap();
        let direction = point.direction(&model).unwrap().to_array();
        let place = ContactPoint { gains: &gains, direction, speed_m_s };
        let balance = EnergyBalance::of_strike(&model, known, &striker, place).unwrap().unwrap();
        Self { model, point, striker, speed_m_s, balance }
    }

    /// Returns the sound of the modes at 1 m, Pa, until it has died away.
    fn sound(&self, clicks: bool) -> Vec<f64> {
        let settings = Settings::default().with_acceleration_noise(clicks);
        let (model, point, speed) = (self.model.clone(), self.point, self.speed_m_s);
        let speed = MetresPerSecond(speed);
        let mut sound = Offline::of_strike(model, point, &self.striker, speed, settings).unwrap();
        let heard = |mode: &&foley_modal::energy::ModeEnergy| {
            mode.losses_j.radiation > 1e-3 * self.balance.losses_j.radiation
        };
        let decays = self.balance.modes.iter().zip(&self.model.decays);
        let slowest = decays.filter(|(mode, _)| heard(mode)).map(|(_, d)| *d);
        let slowest = slowest.fold(f64::INFINITY, f64::min);
        // Until a hundredth of a percent of the energy is left.
        let seconds = (0.5 * 1e4f64.ln() / slowest).clamp(0.2, 120.0) + 0.02;
        let mut samples = vec![0.0; (seconds * RATE_HZ) as usize];
        sound.fill(&mut samples);
        samples.into_iter().map(f64::from).collect()
    }

    /// Returns the part of its energy that the rendered sound gains or loses where modes overlap, in the mean over their signs:
    /// `∫ p_i p_j dt` over the sum of all `∫ p_n² dt`, squared and added up. A mode overlaps with itself where it decays within
    /// a few periods.
    fn overlap(&self) -> f64 {
        let total = self.balance.losses_j.radiation;
        let modes: Vec<(f64, f64, f64)> = self
            .balance
            .modes
            .iter()
            .zip(&self.model.decays)
            .map(|(mode, d)| (2.0 * PI * mode.frequency_hz, *d, mode.losses_j.radiation / total))
            .filter(|(.., share)| *share > 1e-5)
            .collect();
        let mut squares = 0.0;
        for (i, (omega, d, share)) in modes.iter().enumerate() {
            squares += (share * d * d / (omega * omega + d * d)).powi(2);
            for (other_omega, other_d, other_share) in &modes[..i] {
                let (sum, apart) = (d + other_d, omega - other_omega);
                let both = 4.0 * (share * other_share * d * other_d).sqrt();
                squares += (both * sum / (sum * sum + apart * apart)).powi(2);
            }
        }
        squares.sqrt()
    }
}

/// Returns ∮ p²/ρc over the sphere of 1 m and time, J.
fn far_field_j(sound: &[f64]) -> f64 {
    let squares: f64 = sound.iter().map(|p| p * p).sum();
    4.0 * PI / AIR_IMPEDANCE_PA_S_M * squares / RATE_HZ
}

#[test]
fn the_energy_of_thirty_strikes_is_accounted_for() {
    let mut count = 0;
    let (mut apart, mut met) = (0, Vec::new());
    for (text, material, strikes) in STRIKES {
        let loaded = load(text, material);
        for (striker, held, place, speed) in *strikes {
            let strike = Followed::new(&loaded, material, *held, (striker, *place, *speed));
            let balance = &strike.balance;
            let percent = |j: f64| 100.0 * j / balance.striker_before_j;
            let parts: Vec<String> =
                balance.parts_j().iter().map(|(_, j)| format!("{:.4}", percent(*j))).collect();
            let (error, overlap) = (100.0 * balance.error(), strike.overlap());
            let far_j = far_field_j(&strike.sound(false));
            let far = 100.0 * (far_j / balance.losses_j.radiation - 1.0);
            println!(
                "{material} {text}, {held}, {striker}: {} = 100 {error:+.2} %; overlap {overlap:.3}, far field {far:+.2} %",
                parts.join(" + ")
            );
            let names_of_parts_that_are_negative =
                balance.parts_j().into_iter().filter(|(_, j)| percent(*j) < -1e-3);
            assert_eq!(names_of_parts_that_are_negative.count(), 0);
            let is_compared =
                overlap < APART && percent(balance.losses_j.radiation) > 100.0 * FAINT;
            met.push((error.abs(), balance.radiated_share(), is_compared.then_some(far.abs())));
            count += 1;
            apart += usize::from(is_compared);
        }
    }
    for (error, share, far) in met {
        foley_measured::check!("energy.closes", error);
        foley_measured::check!("energy.radiated", share);
        if let Some(far) = far {
            foley_measured::check!("energy.far_field", far);
        }
    }
    assert!(count >= 30 && apart >= 4, "{count} strikes, {apart} of them with modes apart");
}

/// The strikes of the first table of levels: what they are now.
#[test]
fn levels_of_five_strikes() {
    let strike = |text: &str, material: &str, striker: &str| {
        let loaded = load(text, material);
        let strike = Followed::new(&loaded, material, Held::Free, (striker, [0.37, 0.27], 1.0));
        let peak = strike.sound(true).iter().fold(0.0, |peak: f64, p| peak.max(p.abs()));
        (20.0 * (peak / 20e-6).log10(), strike.balance.radiated_share())
    };
    let (peak, share) = strike("plate:500x500x4mm", "glass", "steel ball");
    foley_measured::check!("energy.glass_plate_peak", peak);
    foley_measured::check!("energy.glass_plate", share);
    let (peak, share) = strike("plate:300x300x1mm", "aluminium", "steel ball");
    foley_measured::check!("energy.aluminium_sheet_peak", peak);
    foley_measured::check!("energy.aluminium_sheet", share);
    let (peak, share) = strike("plate:300x300x1mm", "steel", "steel ball");
    foley_measured::check!("energy.steel_sheet_peak", peak);
    foley_measured::check!("energy.steel_sheet", share);
    let (peak, share) = strike(DRUM, "plastic", "drumstick");
    foley_measured::check!("energy.drum_peak", peak);
    foley_measured::check!("energy.drum", share);
    let (peak, share) = strike("bar:300x30x8mm", "aluminium", "steel ball");
    foley_measured::check!("energy.aluminium_bar_peak", peak);
    foley_measured::check!("energy.aluminium_bar", share);
}
