//! Report of [`radiate_modes`](super::radiate_modes).

use super::ModeRadiation;
use std::fmt;

/// How the radiation of a mode was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Solved at its frequency.
    Solved,
    /// Interpolated between two solved frequencies.
    Interpolated,
    /// By the Rayleigh integral over visible triangles.
    HighFrequency,
}

/// One solve.
#[derive(Debug, Clone, PartialEq)]
pub struct Solve {
    /// Frequency, Hz.
    pub frequency_hz: f64,
    /// Unknowns; zero for the Rayleigh integral.
    pub unknowns: usize,
    /// Length of the mesh's edges, m.
    pub edge_m: f64,
    /// Number of modes.
    pub modes: usize,
    /// Time by the cost model, s.
    pub expected_s: f64,
    /// Time it took, s.
    pub seconds: f64,
}

/// What was solved, interpolated and approximated.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// The solves, lowest frequency first.
    pub solves: Vec<Solve>,
    /// Number of modes with [`Method::Solved`].
    pub solved: usize,
    /// Number of modes with [`Method::Interpolated`].
    pub interpolated: usize,
    /// Number of modes with [`Method::HighFrequency`].
    pub high_frequency: usize,
    /// Number of those fields whose waves were too short for quadrature: power in closed form,
    /// equal in all directions.
    pub omnidirectional: usize,
    /// Power of the high-frequency approximation against the solver at the highest solved
    /// frequency, dB: mean over its modes; zero if nothing was approximated.
    pub high_frequency_mean_db: f64,
    /// The same, root mean square.
    pub high_frequency_rms_db: f64,
    /// Time of everything, s.
    pub seconds: f64,
}

impl Report {
    pub(super) fn count(&mut self, modes: &[ModeRadiation]) {
        let of = |method| modes.iter().filter(|mode| mode.method == method).count();
        self.solved = of(Method::Solved);
        self.interpolated = of(Method::Interpolated);
        self.high_frequency = of(Method::HighFrequency);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "   Hz        unknowns  edge mm  modes  expected s  seconds")?;
        for solve in &self.solves {
            writeln!(
                f,
                "{:9.1}  {:9}  {:7.1}  {:5}  {:10.2}  {:7.2}",
                solve.frequency_hz,
                solve.unknowns,
                1e3 * solve.edge_m,
                solve.modes,
                solve.expected_s,
                solve.seconds
            )?;
        }
        writeln!(
            f,
            "{} modes solved, {} interpolated, {} by the high-frequency approximation, {:.1} s",
            self.solved, self.interpolated, self.high_frequency, self.seconds
        )?;
        if self.high_frequency > 0 {
            writeln!(
                f,
                "the approximation differs from the solver by {:+.1} dB ({:.1} dB rms)",
                self.high_frequency_mean_db, self.high_frequency_rms_db
            )?;
        }
        Ok(())
    }
}
