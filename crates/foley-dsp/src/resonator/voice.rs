//! One sounding object in the bank.

use num_complex::Complex64;
use std::sync::Arc;

use crate::resonator::bank::Kernel;
use crate::resonator::contact::{Contact, ContactBuffers, Shape};
use crate::resonator::cost_model::Load;
use crate::resonator::kernels::per_sample::{self, FORCES, Force, Pass, Rotation};
use crate::resonator::kernels::reference::Reference;
use crate::resonator::kernels::spectral::{self, Drive};
use crate::resonator::layout::modes::{CORRECTION_BLOCKS, MAX_AMPLITUDE, Modes, SILENCE};
use crate::resonator::layout::{Gains, Layout};
use crate::resonator::perceptual::PerceptualState;
use crate::resonator::route::{Route, Routing};
use crate::resonator::scratch::{BusBlock, Scratch};
use crate::resonator::strike::{Kind, PulseForce, Scheduled, TimedJump};
use crate::simd::{Pair, Row, flat};

/// Fade-out of a released voice, samples.
const FADE: usize = 1024;
/// Impulses per pass.
pub(crate) const JUMPS: usize = 32;

/// An object: its modes, their state and its contacts. Made off the audio thread; owned by it from
/// [`Bank::insert`](super::Bank::insert) on.
#[derive(Debug)]
pub struct Voice {
    pub(crate) layout: Arc<Layout>,
    pub(crate) modes: Modes,
    recurrence: Pair,
    /// State of the recurrence of further forces, when more act than one pass takes.
    pub(crate) spare: Pair,
    reference: Option<Reference>,
    pub(crate) contacts: Box<[Contact]>,
    /// Whether any contact was moved or driven since the last block.
    pub(crate) contacts_changed: bool,
    pub(crate) routing: Routing,
    pub(crate) kernel: Kernel,
    pub(crate) awake: bool,
    /// Whether bursts sound in this block.
    has_bursts: bool,
    pub(crate) fade_position: Option<usize>,
    /// Strikes accepted so far, and those that are not over yet.
    pub(crate) strikes: u64,
    pub(crate) pending: usize,
    /// Whether its silence was reported.
    pub(crate) is_reported: bool,
    /// State under perceptual synthesis.
    pub(crate) perceptual: PerceptualState,
}

/// The strikes that excite a voice in one block.
#[derive(Clone, Copy)]
pub(crate) struct Events<'a> {
    pub(crate) start: u64,
    pub(crate) jumps: &'a [Scheduled],
    pub(crate) pulses: &'a [Scheduled],
    /// Sound that is added to the buses; modes do not feel it.
    pub(crate) bursts: &'a [Scheduled],
}

impl Voice {
    /// Makes a silent voice with room for `contacts` simultaneous contacts, rendered on `bus`.
    pub fn new(layout: Arc<Layout>, contacts: usize, bus: usize) -> Self {
        Self {
            modes: Modes::new(&layout),
            recurrence: Pair::zeros(layout.rows),
            spare: Pair::zeros(layout.rows),
            reference: None,
            contacts: (0..contacts).map(|_| Contact::new(layout.block)).collect(),
            contacts_changed: false,
            routing: Routing::new(Route { bus, gain: 1.0 }, layout.block),
            kernel: Kernel::Auto,
            awake: false,
            has_bursts: false,
            fade_position: None,
            strikes: 0,
            pending: 0,
            is_reported: false,
            perceptual: PerceptualState::new(&layout),
            layout,
        }
    }

    /// Makes a silent voice whose contacts have no buffers yet: see
    /// [`set_contact_buffers`](Self::set_contact_buffers).
    pub fn without_buffers(layout: Arc<Layout>, contacts: usize, bus: usize) -> Self {
        let contacts = (0..contacts).map(|_| Contact::default()).collect();
        Self { contacts, ..Self::new(layout, 0, bus) }
    }

    /// Gives its buffers to a contact that has none. Returns them when it has some already or does not
    /// exist, to be freed off the audio thread.
    pub fn set_contact_buffers(
        &mut self,
        contact: usize,
        buffers: ContactBuffers,
    ) -> Option<ContactBuffers> {
        match self.contacts.get_mut(contact) {
            Some(contact) => contact.set_buffers(buffers),
            None => Some(buffers),
        }
    }

    /// Makes a voice that is computed in f64 by the reference kernel. Slow; for tests.
    pub fn reference(layout: Arc<Layout>, contacts: usize, bus: usize) -> Self {
        let reference = Some(Reference::new(&layout));
        Self { reference, ..Self::new(layout, contacts, bus) }
    }

    /// Moves a contact: over the next block its gains are interpolated to `gains`. Returns gains
    /// that are no longer needed, to be freed off the audio thread (`gains` itself when there is no
    /// such contact or they were made for another object).
    pub fn move_contact(&mut self, contact: usize, gains: Gains) -> Option<Gains> {
        self.contacts_changed = true;
        match self.contacts.get_mut(contact) {
            Some(contact) if gains.0.len() == self.layout.rows => contact.move_to(gains),
            _ => Some(gains),
        }
    }

    /// Returns the force of a contact over the next block, N·s per sample, to be added to. It is
    /// zeroed after the block, and has no effect until the contact has gains.
    pub fn force(&mut self, contact: usize) -> Option<&mut [f32]> {
        self.contacts_changed = true;
        self.contacts.get_mut(contact)?.force()
    }

    /// Sends the voice to another bus, or changes its gain, without a click; at once while it is
    /// silent.
    pub fn set_route(&mut self, route: Route) {
        if !route.gain.is_finite() {
            return;
        }
        self.routing.set(route);
        if !self.awake {
            self.routing.snap();
        }
    }

    /// Returns whether any mode moves.
    pub fn is_awake(&self) -> bool {
        self.awake
    }

    /// Returns for how many blocks the budget has left out this voice, fully or partly.
    pub fn waited(&self) -> u32 {
        self.perceptual.waited
    }

    /// Fades the voice out; the bank retires it afterwards.
    pub fn release(&mut self) {
        self.fade_position.get_or_insert(0);
    }

    /// Returns the complex amplitude of a mode at the start of the next block: its sound continues
    /// as `Im(S e^{λt})`. Under perceptual synthesis: when it was last computed.
    pub fn amplitude(&self, mode: usize) -> Complex64 {
        let Some(slot) = self.layout.slots.get(mode).copied().flatten() else {
            return Complex64::ZERO;
        };
        match &self.reference {
            Some(reference) => reference.amplitude(slot).unwrap_or_default(),
            None => self.modes.state.get(slot) * self.layout.constants.to_start.get(slot),
        }
    }

    /// Returns the energy of a mode, |S|², at the start of the next block.
    pub fn energy(&self, mode: usize) -> f64 {
        self.amplitude(mode).norm_sqr()
    }

    /// Silences the voice when its state contains a NaN or an impossible amplitude: an overflow in
    /// one mode has corrupted its neighbours, too.
    pub(crate) fn reset_nonfinite(&mut self) {
        let Pair { re, im } = &mut self.modes.state;
        let finite = |rows: &[Row]| flat(rows).iter().all(|x| x.abs() <= MAX_AMPLITUDE);
        if !(finite(re) && finite(im)) {
            re.fill(Row::default());
            im.fill(Row::default());
            self.contacts.iter_mut().for_each(|contact| contact.response_known = false);
            self.perceptual.energy = 0.0;
        }
        if let Some(reference) = &mut self.reference {
            reference.reset_nonfinite();
        }
    }

    /// Returns the load of this block; wakes the voice when it is excited.
    pub(crate) fn load(&mut self, events: Events<'_>) -> Load {
        let mut load = Load {
            jumps: events.jumps.len(),
            forces: events.pulses.len(),
            fresh: events.pulses.len(),
        };
        for contact in self.contacts.iter().filter(|_| self.contacts_changed) {
            if contact.driven && contact.gains.is_some() {
                load.forces += 1 + usize::from(contact.next.is_some());
                load.fresh += usize::from(contact.next.is_some());
                load.fresh += usize::from(!contact.response_known);
            }
        }
        self.has_bursts = !events.bursts.is_empty();
        self.awake |= self.has_bursts || load.forces + load.jumps > 0;
        load
    }

    /// Silences non-finite forces. Returns how many there were.
    pub(crate) fn sanitise(&mut self) -> u64 {
        if !self.contacts_changed {
            return 0;
        }
        let driven = self.contacts.iter_mut().filter(|contact| contact.driven);
        driven.map(|contact| u64::from(contact.sanitise())).sum()
    }

    pub(crate) fn is_fading(&self) -> bool {
        self.fade_position.is_some()
    }

    /// Adds the bursts of the block that has just ended to its buses, with its gains and its fade-out. `out` holds all
    /// buses.
    pub(crate) fn add_bursts(&self, block: usize, events: Events<'_>, out: &mut [f32]) {
        for (first, samples) in events.bursts.iter().filter_map(|s| s.strike.sound()) {
            let at = first.saturating_sub(events.start) as usize;
            let begun = events.start.saturating_sub(first) as usize;
            let samples = samples.get(begun..).unwrap_or_default();
            for tap in self.routing.taps() {
                let bus = out.get_mut(tap.bus * block..(tap.bus + 1) * block).unwrap_or_default();
                for ((n, y), burst) in bus.iter_mut().enumerate().skip(at).zip(samples) {
                    let done = self.fade_position.map(|end| (end + n).saturating_sub(block));
                    let fade = done.map_or(1.0, fade_gain);
                    *y += tap.at(n as f32 / block as f32) * fade * burst;
                }
            }
        }
    }

    /// Adds a block of sound. Returns false when a released voice has faded out.
    pub(crate) fn render(
        &mut self,
        scratch: &mut Scratch,
        events: Events<'_>,
        bus: &mut BusBlock<'_>,
    ) -> bool {
        if self.awake {
            match (self.fade_position, &self.reference, self.kernel) {
                (Some(done), _, _) => self.fade(scratch, events, bus.out, done),
                (None, Some(_), _) => self.run_reference(scratch, events, bus.out),
                (None, None, Kernel::Spectral) => {
                    self.run_spectral(scratch, events, bus);
                    let rows = self.layout.spectral_rows..self.layout.rows;
                    if !rows.is_empty() {
                        self.run_recurrence(scratch, events, bus.out, rows);
                    }
                }
                _ => self.run_recurrence(scratch, events, bus.out, 0..self.layout.rows),
            }
            self.renormalise(scratch, events.start);
            self.awake |= !events.bursts.is_empty();
        }
        self.end_block(scratch.block)
    }

    /// Ends the block: clears the forces. Returns false when a released voice has faded out.
    pub(crate) fn end_block(&mut self, block: usize) -> bool {
        if std::mem::take(&mut self.contacts_changed) {
            self.contacts.iter_mut().for_each(Contact::end_block);
        }
        if let Some(done) = &mut self.fade_position {
            let begun = *done;
            *done += block;
            // Bursts are added after the voices: a voice stays for them until it has faded out.
            return (*done < FADE && self.awake) || (begun < FADE && self.has_bursts);
        }
        true
    }

    pub(crate) fn fade(
        &mut self,
        scratch: &mut Scratch,
        events: Events<'_>,
        out: &mut [f32],
        done: usize,
    ) {
        let mut fade_buffer = std::mem::take(&mut scratch.fade_buffer);
        fade_buffer.fill(0.0);
        if self.reference.is_some() {
            self.run_reference(scratch, events, &mut fade_buffer);
        } else {
            self.run_recurrence(scratch, events, &mut fade_buffer, 0..self.layout.rows);
        }
        for (n, (out, y)) in out.iter_mut().zip(&fade_buffer).enumerate() {
            *out += y * fade_gain(done + n);
        }
        scratch.fade_buffer = fade_buffer;
    }

    /// Removes rounding errors and denormal numbers from the state.
    fn renormalise(&mut self, scratch: &Scratch, start: u64) {
        if let Some(reference) = &self.reference {
            self.awake = reference.is_sounding();
            return;
        }
        let (level, state) = (scratch.level, &mut self.modes.state);
        if (start / scratch.block as u64).is_multiple_of(CORRECTION_BLOCKS) {
            self.awake = spectral::correct_rounding(
                level,
                state,
                &self.layout.constants.correction,
                SILENCE,
            );
            return;
        }
        for tile in self.layout.tiles.iter().filter(|tile| tile.fast) {
            let rows = tile.first_row..tile.first_row + tile.rows;
            spectral::flush_silent(level, state, rows, SILENCE);
        }
        spectral::flush_silent(level, state, self.layout.spectral_rows..self.layout.rows, SILENCE);
    }

    pub(crate) fn run_recurrence(
        &mut self,
        scratch: &mut Scratch,
        events: Events<'_>,
        out: &mut [f32],
        rows: std::ops::Range<usize>,
    ) {
        let (level, buffer, modes) = (scratch.level, &mut scratch.row_buffer, &mut self.modes);
        let (recurrence, spare) = (&mut self.recurrence, &mut self.spare);
        per_sample::start_state(level, modes, rows.clone(), recurrence);
        let driven =
            batches(&self.contacts, events, &self.layout, &mut scratch.x, |i, forces, jumps| {
                let start = if i == 0 { &mut *recurrence } else { &mut *spare };
                if i > 0 {
                    start.re[rows.clone()].fill(Row::default());
                    start.im[rows.clone()].fill(Row::default());
                }
                let rows = rows.clone();
                let rotation = Rotation::from(&*modes);
                let pass =
                    Pass { rotation, rows: rows.clone(), recurrence: start, forces, jumps, out };
                per_sample::run(level, buffer, pass);
                if i > 0 {
                    add(recurrence, spare, rows);
                }
            });
        per_sample::end_state(level, modes, rows, driven.then_some(&self.recurrence));
    }

    fn run_reference(&mut self, scratch: &mut Scratch, events: Events<'_>, out: &mut [f32]) {
        let Some(reference) = &mut self.reference else { return };
        let out_f64 = &mut scratch.out_f64;
        out_f64.fill(0.0);
        reference.free(out_f64);
        batches(&self.contacts, events, &self.layout, &mut scratch.x, |_, forces, jumps| {
            reference.forced(forces, jumps, out_f64);
        });
        out.iter_mut().zip(out_f64).for_each(|(o, y)| *o += *y as f32);
    }

    fn run_spectral(&mut self, scratch: &mut Scratch, events: Events<'_>, bus: &mut BusBlock<'_>) {
        let (layout, modes) = (&*self.layout, &mut self.modes);
        bus.cover(&layout.spans);
        let mut moved = false;
        for contact in self.contacts.iter_mut().filter(|c| c.driven) {
            let Some(gains) = &contact.gains else { continue };
            if !contact.response_known {
                scratch.response(modes, layout, gains, &mut contact.response);
                contact.response_known = true;
            }
            let shape = if contact.next.is_some() { Shape::FadingOut } else { Shape::Full };
            shape.apply(&contact.force, &mut scratch.x[0]);
            scratch.apply_force(modes, layout, gains, &contact.response, bus, &mut moved);
            if let Some(next) = &contact.next {
                let mut response = std::mem::take(&mut contact.response);
                scratch.response(modes, layout, next, &mut response);
                Shape::FadingIn.apply(&contact.force, &mut scratch.x[0]);
                scratch.apply_force(modes, layout, next, &response, bus, &mut moved);
                contact.response = response;
            }
        }
        for pulse in events.pulses {
            let Kind::Pulse { force, gains } = &pulse.strike.kind else { continue };
            let mut response = std::mem::take(&mut scratch.pulse_response);
            scratch.response(modes, layout, gains, &mut response);
            scratch.x[0].fill(0.0);
            force.sample_into(layout.sample_rate_hz, &mut scratch.x[0], events.start);
            scratch.apply_force(modes, layout, gains, &response, bus, &mut moved);
            scratch.pulse_response = response;
        }
        if !moved {
            spectral::advance(scratch.level, modes, &layout.tiles, bus.cells, None);
        }
        for TimedJump { at, re, im } in events.jumps.iter().filter_map(|s| s.jump(events.start)) {
            scratch.x[0].fill(0.0);
            scratch.x[0][at] = 1.0;
            scratch.grid.gather(&scratch.x[0], &layout.spans, &mut scratch.nu);
            let drive = Drive { cells: &scratch.nu, gains: re };
            spectral::inject(scratch.level, modes, &layout.tiles, drive, Some(im));
            let cells = &mut scratch.cells;
            spectral::spread_gains(scratch.level, modes, &layout.tiles, cells, re, Some(im));
            let out = &mut bus.out[at..];
            scratch.grid.synthesise(&mut scratch.cells, &layout.spans, |n, y| {
                if let Some(out) = out.get_mut(n) {
                    *out += y;
                }
            });
        }
    }
}

/// Returns the gain of a released voice after this number of samples.
fn fade_gain(samples: usize) -> f32 {
    let t = (samples as f32 / FADE as f32).min(1.0);
    0.5 + 0.5 * (std::f32::consts::PI * t).cos()
}

fn add(sum: &mut Pair, more: &Pair, rows: std::ops::Range<usize>) {
    for (sum, more) in [(&mut sum.re, &more.re), (&mut sum.im, &more.im)] {
        for (sum, more) in sum[rows.clone()].iter_mut().zip(&more[rows.clone()]) {
            sum.0.iter_mut().zip(more.0).for_each(|(s, m)| *s += m);
        }
    }
}

/// Passes the forces and impulses of a block to `pass`, in batches; calls it at least once. Returns
/// whether there were any.
fn batches(
    contacts: &[Contact],
    events: Events<'_>,
    layout: &Layout,
    x: &mut [Vec<f32>; FORCES],
    mut pass: impl FnMut(usize, &[Force<'_>], &[TimedJump<'_>]),
) -> bool {
    let mut sources = sources(contacts, events.pulses).peekable();
    let mut jumps = events.jumps.iter().filter_map(|s| s.jump(events.start)).peekable();
    let mut passes = 0;
    let mut driven = false;
    while passes == 0 || sources.peek().is_some() || jumps.peek().is_some() {
        let mut gains: [&[Row]; FORCES] = [&[]; FORCES];
        let mut count = 0;
        while count < FORCES
            && let Some(source) = sources.next()
        {
            source.fill(events.start, layout.sample_rate_hz, &mut x[count]);
            gains[count] = source.gains();
            count += 1;
        }
        let forces: [Force<'_>; FORCES] = std::array::from_fn(|i| (gains[i], &x[i][..]));
        let mut due = [TimedJump::NONE; JUMPS];
        let mut jump_count = 0;
        while jump_count < JUMPS
            && let Some(jump) = jumps.next()
        {
            due[jump_count] = jump;
            jump_count += 1;
        }
        pass(passes, &forces[..count], &due[..jump_count]);
        driven |= count + jump_count > 0;
        passes += 1;
    }
    driven
}

/// A force on fixed gains.
enum Source<'a> {
    Contact(&'a Gains, Shape, &'a [f32]),
    Pulse(&'a Gains, &'a PulseForce),
}

impl<'a> Source<'a> {
    fn gains(&self) -> &'a [Row] {
        match self {
            Source::Contact(gains, ..) | Source::Pulse(gains, ..) => &gains.0,
        }
    }

    fn fill(&self, block_start: u64, sample_rate_hz: f64, x: &mut [f32]) {
        match self {
            Source::Contact(_, shape, force) => shape.apply(force, x),
            Source::Pulse(_, force) => {
                x.fill(0.0);
                force.sample_into(sample_rate_hz, x, block_start);
            }
        }
    }
}

fn sources<'a>(
    contacts: &'a [Contact],
    pulses: &'a [Scheduled],
) -> impl Iterator<Item = Source<'a>> {
    let contacts = contacts.iter().filter(|c| c.driven).flat_map(|c| {
        let shape = if c.next.is_some() { Shape::FadingOut } else { Shape::Full };
        let now = c.gains.as_ref().map(|g| Source::Contact(g, shape, &c.force));
        let next = c.next.as_ref().map(|g| Source::Contact(g, Shape::FadingIn, &c.force));
        now.into_iter().chain(next)
    });
    contacts.chain(pulses.iter().filter_map(|p| match &p.strike.kind {
        Kind::Pulse { force, gains } => Some(Source::Pulse(gains, force)),
        Kind::Jump { .. } | Kind::Burst { .. } => None,
    }))
}
