//! Options of hail on the GPU.

use crate::GpuError;
use derive_setters::Setters;
use foley_hail::{HailSimulation, ImpactFilter, LIFE_AFTER_IMPACT_S};
use std::time::Duration;

/// How impacts are transferred from the GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransferMode {
    /// Every impact, through an append buffer.
    #[default]
    Lossless,
    /// Through an impact map (\[CS\] section 5): per frame only the earliest impact of each texel.
    Map {
        /// Width and height in texels; the width is a multiple of 16.
        size: [u32; 2],
    },
}

/// The size of the ring buffer of stones on the GPU, which pictures and the impact map need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slots {
    /// The largest number of stones in flight or bouncing at once.
    #[default]
    Auto,
    /// A given number; an error if it is too small.
    Exactly(u32),
    /// No ring buffer: impacts only.
    None,
}

/// Options that do not affect the stones themselves.
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct GpuOptions {
    /// The start time; stones that are in flight at that time are included.
    pub from_s: f64,
    /// How impacts are transferred from the GPU.
    pub transfer: TransferMode,
    /// Which impacts are reported. With `SoundingOnly` and without slots, silent colliders are not uploaded.
    pub filter: ImpactFilter,
    /// The ring buffer of stones.
    pub slots: Slots,
    /// The largest number of stones per dispatch.
    pub batch: u32,
    /// The duration of a frame of the impact map.
    pub frame_s: f64,
    /// The restitution of bounces in pictures, 0 to 1.
    pub restitution: f64,
    /// A GPU that does not answer within this time is considered lost.
    pub timeout: Duration,
}

impl Default for GpuOptions {
    fn default() -> Self {
        Self {
            from_s: 0.0,
            transfer: TransferMode::Lossless,
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
        if let TransferMode::Map { size: [width, height] } = self.transfer {
            let must = "from 16 to 4096 texels, the width a multiple of 16";
            in_range("map width", f64::from(width), [16.0, 4096.0], must)?;
            in_range("map height", f64::from(height), [1.0, 4096.0], must)?;
            in_range("map width modulo 16", f64::from(width % 16), [0.0, 0.0], must)?;
            if self.slots == Slots::None {
                let what = "the impact map";
                return Err(GpuError::MissingOption { what, needs: "slots: Slots::Auto" });
            }
        }
        Ok(())
    }

    /// Returns the number of stones per dispatch; their births must span less than 2²³ ticks.
    pub(crate) fn batch_size(&self, simulation: &HailSimulation) -> u32 {
        let four_seconds = 4.0 * simulation.emitter().settings().per_second;
        self.batch.min((four_seconds - 1.0).max(1.0) as u32)
    }

    /// Returns the size of the ring buffer.
    pub(crate) fn ring(&self, simulation: &HailSimulation) -> Result<u32, GpuError> {
        let rate = simulation.emitter().settings().per_second;
        let alive = rate * (simulation.max_flight_s() + LIFE_AFTER_IMPACT_S);
        let needed = alive.ceil() as u64 + u64::from(self.batch_size(simulation)) + 4;
        match self.slots {
            Slots::None => Ok(0),
            Slots::Auto => Ok(needed.min(u64::from(u32::MAX)) as u32),
            Slots::Exactly(slots) if u64::from(slots) >= needed => Ok(slots),
            Slots::Exactly(slots) => Err(GpuError::TooFewSlots { slots, needed }),
        }
    }
}
