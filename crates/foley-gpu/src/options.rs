//! How a shower runs on the GPU.

use crate::GpuError;
use foley_hail::{HailSimulation, ImpactFilter, LIFE_AFTER_IMPACT_S};
use std::time::Duration;

/// How impacts come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransferMode {
    /// Every one, through an append buffer with room for all.
    #[default]
    Lossless,
    /// Through an impact map of a width and height (\[CS\] section 5): of several impacts of one frame in
    /// one texel the earliest.
    Map {
        /// Texels across and down; the width a multiple of 16.
        size: [u32; 2],
    },
}

/// Whether stones are kept on the GPU for pictures. The map needs them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slots {
    /// As many as are in the air or bounce at once.
    #[default]
    Auto,
    /// So many, if they are enough.
    Exactly(u32),
    /// None: for the ear alone.
    None,
}

/// Settings that do not change what falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuOptions {
    /// The time of the first impacts; stones that are in the air then are not forgotten.
    pub from_s: f64,
    /// How impacts come back.
    pub mode: TransferMode,
    /// Which impacts come back. Without slots, a GPU that need not know of silent colliders does not.
    pub filter: ImpactFilter,
    /// A ring in which a stone takes the slot of one long gone.
    pub slots: Slots,
    /// At most so many stones are decided by one command.
    pub batch: u32,
    /// Frames of the impact map are so long.
    pub frame_s: f64,
    /// How high stones leap, for the eye; 0 to 1.
    pub restitution: f64,
    /// A GPU that does not answer for so long counts as lost.
    pub timeout: Duration,
}

impl Default for GpuOptions {
    fn default() -> Self {
        Self {
            from_s: 0.0,
            mode: TransferMode::Lossless,
            filter: ImpactFilter::All,
            slots: Slots::Auto,
            batch: 1 << 16,
            frame_s: 1.0 / 60.0,
            restitution: 0.3,
            timeout: Duration::from_secs(10),
        }
    }
}

impl GpuOptions {
    pub(crate) fn validate(&self) -> Result<(), GpuError> {
        let in_range = |key, value: f64, [lo, hi]: [f64; 2], must| match value >= lo && value <= hi
        {
            true => Ok(()),
            false => Err(GpuError::Setting { key, value, must }),
        };
        in_range("restitution", self.restitution, [0.0, 1.0], "from 0 to 1")?;
        in_range("frame_s", self.frame_s, [1e-4, 0.25], "from 0.0001 to 0.25 s")?;
        let must = "from 64 to 1,048,576 stones";
        in_range("batch", f64::from(self.batch), [64.0, 1_048_576.0], must)?;
        if let TransferMode::Map { size: [width, height] } = self.mode {
            let must = "from 16 to 4096 texels, the width a multiple of 16";
            in_range("map width", f64::from(width), [16.0, 4096.0], must)?;
            in_range("map height", f64::from(height), [1.0, 4096.0], must)?;
            in_range("map width modulo 16", f64::from(width % 16), [0.0, 0.0], must)?;
            if self.slots == Slots::None {
                let what = "the impact map";
                return Err(GpuError::NotKept { what, needs: "slots: Slots::Enough" });
            }
        }
        Ok(())
    }

    /// How many stones one command decides: their births span less than 2²³ ticks.
    pub(crate) fn batch_of(&self, simulation: &HailSimulation) -> u32 {
        let four_seconds = 4.0 * simulation.emitter().settings().per_second;
        self.batch.min((four_seconds - 1.0).max(1.0) as u32)
    }

    /// The size of the ring.
    pub(crate) fn ring(&self, simulation: &HailSimulation) -> Result<u32, GpuError> {
        let rate = simulation.emitter().settings().per_second;
        let alive = rate * (simulation.max_flight_s() + LIFE_AFTER_IMPACT_S);
        let needed = alive.ceil() as u64 + u64::from(self.batch_of(simulation)) + 4;
        match self.slots {
            Slots::None => Ok(0),
            Slots::Auto => Ok(needed.min(u64::from(u32::MAX)) as u32),
            Slots::Exactly(slots) if u64::from(slots) >= needed => Ok(slots),
            Slots::Exactly(slots) => Err(GpuError::TooFewSlots { slots, needed }),
        }
    }
}
