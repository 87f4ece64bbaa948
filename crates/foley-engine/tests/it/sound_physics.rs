//! Physical laws in the rendered sound: bars, plates, impacts, air.

use foley_dsp::excitation::{HertzPair, Impact, PATIENCE_S, Striker};
use foley_dsp::model::ModalModel;
use foley_dsp::output::OutputSettings;
use foley_engine::Source;
use foley_engine::{Engine, MetresPerSecond, Offline, Settings, SurfacePoint, Time};
use foley_modal::{Material, Shape, ShapeOptions};
use realfft::RealFftPlanner;
use realfft::num_complex::Complex64;
use std::f64::consts::{PI, TAU};

const RATE: f64 = 48_000.0;
const BAR: &str = "bar:300x30x8mm";
/// Off the nodes of the first modes of a bar of 300 mm.
const OFF_NODES: SurfacePoint = SurfacePoint::At([0.111, 0.0, 0.0]);
const END: SurfacePoint = SurfacePoint::At([0.15, 0.0, 0.0]);
const MIDDLE: SurfacePoint = SurfacePoint::At([0.0; 3]);

fn model(shape: &str, material: &str) -> ModalModel {
    let shape: Shape = shape.parse().unwrap();
    shape.model(Material::named(material).unwrap(), &ShapeOptions::default()).unwrap()
}

/// Pascals at 1 m: full scale is 1 Pa, and nothing limits it.
fn render(
    model: &ModalModel,
    seconds: f64,
    strike: impl FnOnce(&mut Engine, foley_engine::ObjectHandle),
) -> Vec<f64> {
    let output = OutputSettings::default().with_limiter(None);
    // What rings, without the clicks of striker and struck body.
    let settings = Settings::default().with_output(output).with_acceleration_noise(false);
    let (mut engine, renderer) = Engine::new(settings).unwrap();
    let object = engine.add(model.clone()).unwrap();
    strike(&mut engine, object);
    let mut samples = vec![0.0; (seconds * RATE) as usize];
    Offline::new(engine, renderer).fill(&mut samples);
    samples.into_iter().map(f64::from).collect()
}

/// The sound of one strike at time zero.
fn struck(model: &ModalModel, place: SurfacePoint, striker: &str, speed: f64) -> Vec<f64> {
    let striker = Striker::named(striker).unwrap();
    render(model, 1.0, |engine, object| {
        engine.strike(object, place, &striker, MetresPerSecond(speed), Time::Now).unwrap();
    })
}

fn contact_time_s(model: &ModalModel, striker: &str, speed: f64) -> f64 {
    HertzPair::new(&Striker::named(striker).unwrap(), &model.body).unwrap().contact_time_s(speed)
}

fn db(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}

fn hann(n: usize, length: usize) -> f64 {
    0.5 - 0.5 * (TAU * (n as f64 + 0.5) / length as f64).cos()
}

/// The complex amplitude of a sine at `f` Hz, seen through a window of `length` samples
/// from `start` on; its phase is that at sample 0.
fn line(sound: &[f64], start: usize, length: usize, f: f64) -> Complex64 {
    let part = sound[start..start + length].iter().enumerate();
    let sum: Complex64 = part
        .map(|(n, y)| y * hann(n, length) * Complex64::cis(-TAU * f / RATE * (start + n) as f64))
        .sum();
    // The window's mean is ½, and a sine has half of its amplitude at +f.
    sum * 4.0 / length as f64
}

/// The amplitude of a line in the first half second, after the contact.
fn level(sound: &[f64], f: f64) -> f64 {
    line(sound, 480, 24_000, f).norm()
}

/// Power over frequency of the whole sound: (Hz, power), without 0 Hz.
fn spectrum(sound: &[f64]) -> Vec<(f64, f64)> {
    let fft = RealFftPlanner::<f64>::new().plan_fft_forward(sound.len());
    let (mut samples, mut bins) = (sound.to_vec(), fft.make_output_vec());
    fft.process(&mut samples, &mut bins).unwrap();
    let hz = RATE / sound.len() as f64;
    bins.iter().enumerate().skip(1).map(|(i, x)| (i as f64 * hz, x.norm_sqr())).collect()
}

/// The loudest frequency between two, by a parabola through the top of the spectrum of a
/// Hann-windowed second.
fn peak_hz(sound: &[f64], from: f64, to: f64) -> f64 {
    let windowed: Vec<f64> =
        sound.iter().enumerate().map(|(n, y)| y * hann(n, sound.len())).collect();
    let spectrum = spectrum(&windowed);
    let inside = (1..spectrum.len() - 1).filter(|i| (from..=to).contains(&spectrum[*i].0));
    let top = inside.max_by(|a, b| spectrum[*a].1.total_cmp(&spectrum[*b].1)).unwrap();
    let [a, b, c] = [top - 1, top, top + 1].map(|i| spectrum[i].1.ln());
    spectrum[top].0 + 0.5 * (a - c) / (a - 2.0 * b + c) * spectrum[0].0
}

/// The lowest tone: the loudest frequency within a semitone of where it must be.
fn lowest_hz(shape: &str, material: &str) -> f64 {
    let model = model(shape, material);
    let f = model.frequencies_hz[0];
    peak_hz(&struck(&model, OFF_NODES, "wooden mallet", 1.0), f / 1.06, f * 1.06)
}

/// Frequency and decay of the line next to `f`, from how its phase and logarithm move
/// between two windows of `length` samples, right after the strike and a fifth of it later.
fn line_motion(sound: &[f64], f: f64, length: usize) -> (f64, f64) {
    let [early, late] = [16, 16 + length / 5].map(|start| line(sound, start, length, f));
    let seconds = (length / 5) as f64 / RATE;
    let rotated = (late / early).ln();
    (f + rotated.im / TAU / seconds, -rotated.re / seconds)
}

/// Bending waves in a free bar: `f_n = β_n²/(2π L²) √(E h²/12ρ)` with cos β cosh β = 1
/// (Blevins, table 8-1), each dying as e^{−dt}, `d = π f η`, T60 = 3 ln 10 / d; η is the loss factor of
/// the material plus Zener's for heat across the bar, plus what it radiates. The constants are those of steel, written
/// out here once more.
#[test]
fn a_steel_bar_sounds_at_its_frequencies_and_dies_at_its_pace() {
    let sound = struck(&model(BAR, "steel"), OFF_NODES, "steel ball", 1.0);
    // What it radiates has its own tests, against boundary elements.
    let bar: Shape = BAR.parse().unwrap();
    let bar = bar.modes(Material::named("steel").unwrap(), &ShapeOptions::default()).unwrap();
    let (young, density, loss_factor) = (2.0e11f64, 7850.0f64, 2e-4);
    let (expansion, heat, conductivity) = (11.8e-6f64, 480.0 * density, 50.0);
    let (strength, diffusion_s) =
        (young * expansion.powi(2) * 293.15 / heat, heat * 0.008f64.powi(2) / (2.0 * conductivity));
    let c = (young / density).sqrt() * 0.008 / 12f64.sqrt() / (TAU * 0.3 * 0.3);
    for (n, beta) in
        [4.73004074f64, 7.85320462, 10.9956079, 14.1371655, 17.2787597].into_iter().enumerate()
    {
        let f = beta * beta * c;
        // Lifshitz & Roukes 2000, eq. 40, of a thick bar.
        let xi = (TAU * f * diffusion_s).sqrt();
        let warming = strength * 6.0 / (xi * xi) * (1.0 - 1.0 / xi);
        let decay = 0.5 * TAU * f * (loss_factor + warming) + bar.radiation_decays()[n];
        let found = peak_hz(&sound, f / 1.1, f * 1.1);
        foley_measured::check!("resonators.bar_in_sound", 100.0 * (found / f - 1.0).abs());
        let (found, d) = line_motion(&sound, found, 4800);
        println!("mode {n}: {found:.3} Hz ({f:.3}), T60 {:.4} s ({:.4})", t60(d), t60(decay));
        foley_measured::check!("resonators.bar_in_sound", 100.0 * (found / f - 1.0).abs());
        foley_measured::check!("resonators.bar_decay_in_sound", 100.0 * (d / decay - 1.0).abs());
    }
}

fn t60(decay: f64) -> f64 {
    3.0 * 10f64.ln() / decay
}

/// The same for every mode the model has and the ear hears well: the sound is the model's.
#[test]
fn every_mode_of_the_model_is_in_the_sound() {
    for (shape, material) in [(BAR, "steel"), ("bar:320x40x16mm", "hardwood"), (BAR, "glass")] {
        let model = model(shape, material);
        let sound = struck(&model, OFF_NODES, "steel ball", 1.0);
        for (f, d) in model.frequencies_hz.iter().zip(&model.decays) {
            // Windows about as long as the mode rings, so that none drowns in the others.
            let length = ((4.0 / d * RATE) as usize).clamp(480, 9600);
            let (f_found, d_found) = line_motion(&sound, *f, length);
            println!(
                "{material}: {f:.0} Hz, off by {:.1e} in frequency, {:.1e} in T60",
                f_found / f - 1.0,
                d / d_found - 1.0
            );
            foley_measured::check!("resonators.modes_in_sound", 100.0 * (f_found / f - 1.0).abs());
            let (t, t_found) = (t60(*d), t60(d_found));
            foley_measured::check!("resonators.decays_in_sound", 100.0 * (t_found / t - 1.0).abs());
        }
    }
}

/// A strike gives a mode `J u_n(x)`: nothing at a node. The free bar's even modes are odd
/// about its middle.
#[test]
fn a_bar_struck_in_the_middle_keeps_its_even_modes_silent() {
    let model = model(BAR, "steel");
    // The same force at both places: what a striker gives differs where the bar gives way.
    let impact = Impact::new(0.03, 7e-5).unwrap();
    let [middle, end] = [MIDDLE, END].map(|place| {
        render(&model, 1.0, |engine, object| {
            engine.strike_with(object, place, impact.clone(), Time::Now).unwrap();
        })
    });
    for (n, f) in model.frequencies_hz.iter().take(6).enumerate() {
        let fall = db(level(&end, *f) / level(&middle, *f));
        println!("mode {}: {fall:.1} dB", n + 1);
        if n % 2 == 1 {
            foley_measured::check!("resonators.bar_nodes", fall);
        } else {
            // |u(½)/u(0)| of odd modes is 2/1.22 to 2/√2 (Blevins, table 8-1).
            assert!((2.5..4.5).contains(&fall), "mode {} is {fall:.1} dB below", n + 1);
        }
    }
}

/// A supported plate moves as `sin(mπx/a) sin(nπy/b)`: its nodal lines are straight, and a
/// strike on one does not move that mode. x and y count from a corner in this formula.
#[test]
fn a_plate_struck_on_a_nodal_line_keeps_that_mode_silent() {
    let model = model("plate:300x200x2mm,edges=supported", "steel");
    let (a, b) = (0.3, 0.2);
    let rigidity = 2.0e11 * 0.002f64.powi(3) / (12.0 * (1.0 - 0.29f64.powi(2)));
    let c = PI / 2.0 * (rigidity / (7850.0 * 0.002)).sqrt();
    let f = |m: f64, n: f64| c * ((m / a).powi(2) + (n / b).powi(2));
    let strike = |x: f64, y: f64| {
        struck(&model, SurfacePoint::At([x - a / 2.0, y - b / 2.0, 0.0]), "wooden mallet", 1.0)
    };
    let off = strike(0.23 * a, 0.31 * b);
    for (m, n, sound, at_least) in [
        (2.0, 1.0, strike(0.5 * a, 0.31 * b), 80.0),
        (1.0, 2.0, strike(0.23 * a, 0.5 * b), 80.0),
        (2.0, 2.0, strike(0.5 * a, 0.31 * b), 80.0),
        // Not a line of symmetry, so it runs between the model's points.
        (3.0, 1.0, strike(a / 3.0, 0.31 * b), 30.0),
    ] {
        let f = f(m, n);
        let fall = db(level(&off, f) / level(&sound, f));
        println!("({m}, {n}) at {f:.1} Hz: {fall:.1} dB");
        assert!(fall > at_least, "({m}, {n}) at {f:.1} Hz is only {fall:.1} dB below");
    }
}

/// Momentum and Hertz: twice the speed is twice the impulse, `J = (1 + e) m* v`, in a
/// contact that is 2^(−1/5) as long. A mode hears `J H(ωτ/2)` of the strike, with
/// `H(u) = (sin u / u)/(1 − (u/π)²)`: 6.02 dB more far below 1/τ, and more than that above.
#[test]
fn twice_the_speed_is_6_db_louder_and_brighter() {
    let model = model(BAR, "steel");
    let [slow, fast] = [1.0, 2.0].map(|v| struck(&model, OFF_NODES, "wooden mallet", v));
    let tau = contact_time_s(&model, "wooden mallet", 1.0);
    // By the solved collision, whose force is that of Hertz where the bar hardly gives way.
    let striker = Striker::named("wooden mallet").unwrap();
    let gains = OFF_NODES.gains(&model).unwrap();
    let [slow_hit, fast_hit] = [1.0, 2.0].map(|v| {
        let e = striker.contact_restitution();
        model.strike(&striker, &gains, v, e, PATIENCE_S).unwrap().unwrap().impact
    });
    let heard = |hit: &Impact, f: f64| hit.impulse_ns() * hit.response(TAU * f).norm();
    let mut before = 0.0;
    // H first vanishes at u = 2π.
    for f in model.frequencies_hz.iter().filter(|f| **f * tau < 1.8) {
        let louder = db(level(&fast, *f) / level(&slow, *f));
        let law = db(heard(&fast_hit, *f) / heard(&slow_hit, *f));
        println!("{f:.0} Hz, f τ = {:.2}: {louder:.3} dB, by law {law:.3} dB", f * tau);
        foley_measured::check!("resonators.twice_the_speed", (louder - law).abs());
        if f * tau < 0.15 {
            assert!((louder - 6.02).abs() < 0.1, "{f} Hz: {louder:.3} dB");
        }
        assert!(louder > before && louder > 6.02, "{f} Hz: {louder:.3} dB after {before:.3} dB");
        before = louder;
    }
    assert!(before > 6.5, "the highest mode gains only {before:.2} dB");
}

/// The mean frequency of (frequency, weight).
fn centroid(lines: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let (sum, of) = lines.into_iter().fold((0.0, 0.0), |(s, o), (f, w)| (s + f * w, o + w));
    sum / of
}

/// Hertz: `τ ∝ (m*²/(R* E*² v))^{1/5}`: soft strikers stay longer, and a pulse of length τ
/// holds little beyond 1/τ. Nothing is tuned: the strikers are what they are made of.
#[test]
fn harder_strikers_sound_brighter() {
    let model = model(BAR, "steel");
    let heard = ["steel ball", "wooden mallet", "rubber eraser"].map(|name| {
        let sound = struck(&model, OFF_NODES, name, 1.0);
        let complete = centroid(spectrum(&sound).into_iter().map(|(f, power)| (f, power.sqrt())));
        let power = centroid(spectrum(&sound));
        // Without the strike itself: the modes that ring on after it.
        let ringing = centroid(model.frequencies_hz.iter().map(|f| (*f, level(&sound, *f))));
        let tau = contact_time_s(&model, name, 1.0);
        println!("{name}: {:.3} ms, {complete:.0}, {power:.0}, {ringing:.0} Hz", tau * 1e3);
        (tau, [complete, power, ringing])
    });
    for pair in heard.windows(2) {
        let [(short, bright), (long, dull)] = [pair[0], pair[1]];
        assert!(long > 2.0 * short, "{short} s, {long} s");
        // All that is above the pulse is there too: the centroid of amplitudes moves less.
        for ((bright, dull), most) in bright.into_iter().zip(dull).zip([0.85, 0.8, 0.8]) {
            assert!(dull < most * bright, "centroids {bright} and {dull} Hz");
        }
    }
}

/// `f ∝ h/L²` (Euler and Bernoulli), whatever the width.
#[test]
fn longer_bars_sound_lower_and_thicker_ones_higher() {
    let bar = lowest_hz("bar:300x30x8mm", "steel");
    for (shape, ratio) in [
        ("bar:600x30x8mm", 0.25),
        ("bar:450x30x8mm", 1.0 / 2.25),
        ("bar:300x30x16mm", 2.0),
        ("bar:300x30x4mm", 0.5),
        ("bar:300x60x8mm", 1.0),
        ("bar:600x60x16mm", 0.5),
    ] {
        let found = lowest_hz(shape, "steel") / bar;
        println!("{shape}: {found:.5} of {bar:.2} Hz");
        foley_measured::check!("resonators.bar_scaling", 100.0 * (found / ratio - 1.0).abs());
    }
}

/// Internal friction: glass loses little of its energy in a cycle, wood much.
#[test]
fn glass_rings_longer_than_wood_of_the_same_size() {
    // The time until 99.9 % of the energy has been heard: 30 dB.
    let [glass, wood] = ["glass", "wood"].map(|material| {
        let striker = Striker::named("wooden mallet").unwrap();
        let sound = render(&model(BAR, material), 6.0, |engine, object| {
            engine.strike(object, OFF_NODES, &striker, MetresPerSecond(1.0), Time::Now).unwrap();
        });
        let complete: f64 = sound.iter().map(|y| y * y).sum();
        let mut left = complete;
        let still_heard = sound.iter().take_while(|y| {
            left -= *y * *y;
            left > 1e-3 * complete
        });
        still_heard.count() as f64 / RATE
    });
    println!("glass {glass:.3} s, wood {wood:.3} s");
    assert!(glass > 5.0 * wood, "glass {glass} s, wood {wood} s");
}

/// A strike at t₀ starts each mode as `sin ω(t − t₀)`, so phases tell t₀, also between
/// samples. A pulse of length τ acts as its centre does: t₀ = t + τ/2.
#[test]
fn a_strike_is_heard_when_it_was_asked_for() {
    let model = model(BAR, "steel");
    let SurfacePoint::At(at) = OFF_NODES else { unreachable!() };
    let gains = model.gains_at(at);
    // A tap shorter than a sample, a hard ball, and a pulse that is played as samples.
    for tau in [1e-6, 70e-6, 1e-3] {
        for asked in [4800.0, 4800.125, 4800.5, 4800.75, 5119.9, 5120.0, 5120.3] {
            let impact = Impact::new(0.03, tau).unwrap();
            let sound = render(&model, 1.0, |engine, object| {
                engine.strike_with(object, OFF_NODES, impact, asked / RATE).unwrap();
            });
            let centre = asked + 0.5 * tau * RATE;
            // Not before it was asked for; a short pulse acts at its centre and is heard one
            // sample later, a long one begins softly at once.
            let by = if tau < 0.75e-3 { centre + 1.0 } else { asked + 3.0 };
            let first = sound.iter().position(|y| *y != 0.0).unwrap() as f64;
            assert!(first >= asked, "{tau} s at {asked}: sound at {first} already");
            assert!(first <= by, "{tau} s at {asked}: no sound before {first}");
            // Three modes below 1/τ; mode 1 alone tells the time but for 104 samples.
            for (f, gain) in model.frequencies_hz.iter().copied().zip(&gains).take(3) {
                if f * tau > 1.5 {
                    continue;
                }
                // i e^{iφ} gain is what sin ω(t − t₀) shows, decaying since t₀.
                let seen = line(&sound, 5280, 24_000, f) / f64::from(gain.signum());
                let rotated = seen * Complex64::I * Complex64::cis(TAU * f / RATE * centre);
                let late = -rotated.arg() / (TAU * f) * RATE;
                println!("{tau} s at {asked}: {f:.0} Hz comes {late} samples late");
                foley_measured::check!("resonators.strike_time", late.abs());
            }
        }
    }
}

/// Sound pressure: 1 Pa is 94 dB. A mallet on a bar is loud talk to a shout at 1 m, not a
/// whisper and not a gunshot.
#[test]
fn a_mallet_on_a_bar_is_as_loud_as_one_would_think() {
    let sound = struck(&model(BAR, "steel"), OFF_NODES, "wooden mallet", 1.0);
    let peak = sound.iter().fold(0.0f64, |p, y| p.max(y.abs()));
    let spl = db(peak / 20e-6);
    println!("{spl:.1} dB SPL");
    assert!((60.0..110.0).contains(&spl), "{spl:.1} dB SPL");
}
