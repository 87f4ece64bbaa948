//! The audio thread's half.

use foley_dsp::output::OutputStage;
use foley_dsp::propagation::{EmitterSet, spreading_gain};
use foley_dsp::resonator::{Bank, Retired};
use rtrb::{Consumer, Producer};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use crate::Source;
use crate::engine::emitter_assignment::Change;
use crate::engine::spatial::Snapshot;
use crate::force::Force;
use crate::message::{Command, Garbage, Published};
use crate::output_tap::TapWriter;
use crate::telemetry::TelemetryFrame;

/// Most forces at a time.
const MAX_FORCES: usize = 1 << 18;

struct ActiveForce {
    slot: usize,
    contact: usize,
    force: Box<dyn Force>,
}

/// Turns commands into frames. Belongs to the audio thread, or to the thread that renders a file.
///
/// Real-time: never allocates, locks, waits or panics. Sound does not depend on how many
/// frames are asked for at a time: everything is computed in blocks of
/// [`Settings::block`](crate::Settings::block).
pub struct Renderer {
    bank: Bank,
    /// The way to the ears of a listener; without it, buses are channels.
    emitters: Option<EmitterSet>,
    output: OutputStage,
    commands: Consumer<Command>,
    garbage: Producer<Garbage>,
    published: Arc<Published>,
    forces: Vec<ActiveForce>,
    gain: f32,
    channels: usize,
    /// The buses, one after the other, and after them the channels.
    planar: Vec<f32>,
    frames: Vec<f32>,
    /// A frame to be filled after the next block.
    telemetry: Option<Box<TelemetryFrame>>,
    tap: Option<TapWriter>,
    /// Frames of `frames` already handed out.
    used: usize,
}

impl Renderer {
    pub(crate) fn new(
        bank: Bank,
        emitters: Option<EmitterSet>,
        output: OutputStage,
        commands: Consumer<Command>,
        garbage: Producer<Garbage>,
        published: Arc<Published>,
        gain: f32,
    ) -> Self {
        let (block, buses) = (bank.settings().block, bank.settings().buses);
        let (channels, extra) = if emitters.is_some() { (2, 2) } else { (buses, 0) };
        Self {
            forces: Vec::new(),
            bank,
            emitters,
            output,
            commands,
            garbage,
            published,
            gain,
            channels,
            planar: vec![0.0; block * (buses + extra)],
            frames: vec![0.0; block * channels],
            telemetry: None,
            tap: None,
            used: block,
        }
    }

    /// Makes room for this many forces at a time.
    pub(crate) fn with_forces(self, forces: usize) -> Self {
        Self { forces: Vec::with_capacity(forces.min(MAX_FORCES)), ..self }
    }

    pub(crate) fn with_tap(self, tap: Option<TapWriter>) -> Self {
        Self { tap, ..self }
    }

    /// Frames by which the output stage is late.
    pub fn latency_frames(&self) -> usize {
        self.output.latency_frames()
    }

    /// Samples computed at a time.
    pub fn block(&self) -> usize {
        self.bank.settings().block
    }

    /// Whether the next frame asked for begins a new block.
    pub(crate) fn is_between_blocks(&self) -> bool {
        self.used == self.block()
    }

    /// Samples that can be handed out before the next block is due.
    pub(crate) fn ready_samples(&self) -> usize {
        let left = self.block() - self.used;
        self.channels * if left == 0 { self.block() } else { left }
    }

    fn render_block(&mut self) {
        self.run_commands();
        self.push_forces();
        self.locate_buses();
        let (block, buses) = (self.block(), self.bank.settings().buses);
        let end_s = self.seconds(self.bank.clock() + block as u64);
        let (sounds, ears) = self.planar.split_at_mut(block * buses);
        self.bank.render(sounds);
        if let Some(emitters) = &mut self.emitters {
            let (left, right) = ears.split_at_mut(block);
            emitters.process(sounds, end_s, [left, right]);
        }
        let from = if self.emitters.is_some() { block * buses } else { 0 };
        for (channel, samples) in self.planar[from..].chunks_exact(block).enumerate() {
            for (n, y) in samples.iter().enumerate() {
                self.frames[n * self.channels + channel] = y * self.gain;
            }
        }
        if self.output.process(&mut self.frames) {
            self.bank.reset_nonfinite();
            self.emitters.iter_mut().for_each(EmitterSet::reset_nonfinite);
            self.published.bad_blocks.fetch_add(1, Relaxed);
        }
        self.tap.iter_mut().for_each(|tap| tap.write(&self.frames, &self.published));
        self.fill_telemetry();
        self.clear_up();
        self.report_silent();
        self.published.clock.store(self.bank.clock(), Relaxed);
        self.publish();
        self.used = 0;
    }

    fn seconds(&self, samples: u64) -> f64 {
        samples as f64 / self.bank.settings().sample_rate_hz
    }

    /// Sets direction and distance of each bus in the bank.
    fn locate_buses(&mut self) {
        let end_s = self.seconds(self.bank.clock() + self.block() as u64);
        let Some(emitters) = &self.emitters else { return };
        for emitter in 0..emitters.len() {
            if let Some((direction, distance_m)) = emitters.bearing(emitter, end_s) {
                self.bank.set_bus(emitter, direction.to_array(), spreading_gain(distance_m));
            }
        }
    }

    /// Reports voices that have become silent to the caller's thread.
    fn report_silent(&mut self) {
        let garbage = &mut self.garbage;
        // Half of the queue stays free for what must be freed.
        let most = garbage.buffer().capacity() / 2;
        self.bank.report_silent(|slot, strikes| {
            garbage.slots() > most && garbage.push(Garbage::Silent { slot, strikes }).is_ok()
        });
    }

    /// Fills the frame that waits, and sends it back.
    fn fill_telemetry(&mut self) {
        if self.garbage.slots() > 0
            && let Some(mut frame) = self.telemetry.take()
        {
            let (emitters, now_s) = (&self.emitters, self.seconds(self.bank.clock()));
            frame.fill(&self.bank, |bus| {
                let bearing = emitters.as_ref().and_then(|set| set.bearing(bus, now_s));
                bearing.map_or(1.0, |(_, distance_m)| spreading_gain(distance_m))
            });
            self.discard(Garbage::Telemetry(frame));
        }
    }

    fn follow(&mut self, snapshot: &Snapshot) {
        let (now_s, to_s) = (self.seconds(self.bank.clock()), self.seconds(snapshot.at));
        let Some(emitters) = &mut self.emitters else { return };
        let (listener, head) = (snapshot.listener, snapshot.head);
        if snapshot.listener_jumps {
            emitters.jump_listener(listener, head);
        }
        emitters.move_listener(now_s, to_s, listener, head);
        for change in &snapshot.changes {
            match *change {
                Change::Place { emitter, position } => emitters.place(emitter, position),
                Change::Move { emitter, position } => {
                    emitters.move_to(emitter, now_s, to_s, position);
                }
                Change::Jump { emitter, position } => emitters.jump(emitter, position),
                Change::Route { slot, route } => self.bank.set_route(slot, route),
            }
        }
        for (emitter, weights) in &snapshot.weights {
            emitters.equalize(*emitter, weights);
        }
    }

    fn publish(&self) {
        let (report, published) = (self.bank.report(), &*self.published);
        published.bad_forces.store(report.bad_forces, Relaxed);
        published.awake.store(report.awake as u64, Relaxed);
        published.modes.store(report.modes as u64, Relaxed);
        published.audible.store(report.audible as u64, Relaxed);
        published.computed.store(report.computed as u64, Relaxed);
        published.left_out.store(report.left_out as u64, Relaxed);
        published.used_ns.store(report.used_ns, Relaxed);
        published.deciding_ns.store(report.deciding_ns, Relaxed);
    }

    /// Carries out waiting commands, as long as there is room for them and for what they
    /// leave behind; the others wait for the next block.
    fn run_commands(&mut self) {
        while self.garbage.slots() > 1 && self.bank.has_room() {
            let Ok(command) = self.commands.pop() else { return };
            let left = match command {
                Command::Insert { slot, voice } => (self.bank.insert(slot, voice))
                    .map_err(|voice| Garbage::Command(Command::Insert { slot, voice }))
                    .err(),
                Command::Release { slot } => {
                    self.bank.release(slot);
                    None
                }
                Command::Playback { pascal_db } => {
                    self.bank.set_pascal_db(pascal_db);
                    None
                }
                Command::Route { slot, route } => {
                    self.bank.set_route(slot, route);
                    None
                }
                Command::Place { emitter, position } => {
                    self.emitters.iter_mut().for_each(|set| set.place(emitter, position));
                    None
                }
                Command::Equalize { emitter, weights } => {
                    self.emitters.iter_mut().for_each(|set| set.equalize(emitter, &weights));
                    Some(Garbage::Weights(weights))
                }
                Command::Snapshot(snapshot) => {
                    self.follow(&snapshot);
                    Some(Garbage::Snapshot(snapshot))
                }
                Command::Telemetry(frame) => self.telemetry.replace(frame).map(Garbage::Telemetry),
                Command::ContactBuffers { slot, contact, buffers } => {
                    match self.bank.voice_mut(slot) {
                        Some(voice) => voice.set_contact_buffers(contact, buffers),
                        None => Some(buffers),
                    }
                    .map(Garbage::Buffers)
                }
                Command::Strike { slot, strike } => (self.bank.strike(slot, strike))
                    .map_err(|strike| Garbage::Command(Command::Strike { slot, strike }))
                    .err(),
                Command::MoveContact { slot, contact, gains } => {
                    self.bank.move_contact(slot, contact, gains).map(Garbage::Gains)
                }
                Command::Switch(switch) => (self.bank.switch_synthesis(switch))
                    .map_err(|switch| Garbage::Command(Command::Switch(switch)))
                    .err(),
                Command::Decays { slot, change } => {
                    Some(match self.bank.change_decays(slot, change) {
                        Ok(change) => Garbage::Decays(change),
                        Err(change) => Garbage::Command(Command::Decays { slot, change }),
                    })
                }
                Command::Push { slot, contact, force } => {
                    if self.forces.len() < self.forces.capacity() {
                        self.forces.push(ActiveForce { slot, contact, force });
                        None
                    } else {
                        Some(Garbage::Command(Command::Push { slot, contact, force }))
                    }
                }
            };
            if let Some(left) = left {
                if matches!(left, Garbage::Command(_)) {
                    self.published.refused.fetch_add(1, Relaxed);
                }
                self.discard(left);
            }
        }
    }

    fn push_forces(&mut self) {
        let start = self.bank.clock();
        let mut i = 0;
        while i < self.forces.len() {
            let ActiveForce { slot, contact, force } = &mut self.forces[i];
            let goes_on = match self.bank.voice_mut(*slot).and_then(|v| v.force(*contact)) {
                Some(samples) => force.add(start, samples),
                None => false,
            };
            if goes_on || self.garbage.slots() == 0 {
                i += 1;
            } else {
                let ActiveForce { slot, force, .. } = self.forces.swap_remove(i);
                self.discard(Garbage::Force(slot, force));
            }
        }
    }

    /// Sends what the bank has done with back to be freed, as far as there is room.
    fn clear_up(&mut self) {
        while self.garbage.slots() > 0 {
            let Some(retired) = self.bank.take_retired() else { return };
            if let Retired::Voice(slot, _) = &retired {
                self.end_forces(*slot);
            }
            self.discard(Garbage::Bank(retired));
        }
    }

    /// Ends the forces on a voice that is gone, before its slot is used again.
    fn end_forces(&mut self, slot: usize) {
        for i in (0..self.forces.len()).rev() {
            if self.forces[i].slot == slot {
                let ActiveForce { force, .. } = self.forces.swap_remove(i);
                self.discard(Garbage::Force(slot, force));
            }
        }
    }

    fn discard(&mut self, garbage: Garbage) {
        if let Err(rtrb::PushError::Full(garbage)) = self.garbage.push(garbage) {
            // Callers made sure of room; leaking is still better than freeing here.
            std::mem::forget(garbage);
        }
    }
}

impl Source for Renderer {
    fn sample_rate_hz(&self) -> u32 {
        self.bank.settings().sample_rate_hz as u32
    }

    fn channels(&self) -> usize {
        self.channels
    }

    fn fill(&mut self, interleaved: &mut [f32]) {
        let frames = (interleaved.len() / self.channels) as u64;
        self.published.frame_clock.begin_fill();
        let mut rest = interleaved;
        while !rest.is_empty() {
            if self.is_between_blocks() {
                self.render_block();
            }
            let ready = &self.frames[self.used * self.channels..];
            let count = ready.len().min(rest.len());
            let (now, later) = rest.split_at_mut(count);
            now.copy_from_slice(&ready[..count]);
            self.used += count.div_ceil(self.channels);
            rest = later;
        }
        self.published.frame_clock.end_fill(frames);
    }
}
