//! One sounding object in the bank.

use num_complex::Complex64;
use std::sync::Arc;

use super::bank::Kernel;
use super::contact::{Contact, Shape};
use super::cost::Load;
use super::heard::Member;
use super::layout::{Gains, Layout};
use super::modes::{LOUDEST, Modes, RENEWAL, SILENCE};
use super::per_sample::{self, FORCES, Force, Pass, Turns};
use super::reference::Reference;
use super::spectral::{self, Drive};
use super::strike::{Kind, Scheduled, TimedJump};
use super::work::{BusWork, Work};
use crate::simd::{Pair, Row, flat};

/// Samples over which a released voice fades.
const FADE: usize = 1024;
/// Impulses taken along in one pass.
pub(crate) const JUMPS: usize = 32;

/// An object: its modes, their state and its contacts. Made off the audio thread;
/// belongs to it from [`Bank::insert`](super::Bank::insert) on.
#[derive(Debug)]
pub struct Voice {
    pub(crate) layout: Arc<Layout>,
    pub(crate) modes: Modes,
    walk: Pair,
    /// The walk of further forces, when more act at once than one pass takes.
    pub(crate) side: Pair,
    reference: Option<Reference>,
    pub(crate) contacts: Box<[Contact]>,
    /// Whether any contact was moved or pushed since the last block.
    pub(crate) touched: bool,
    pub(crate) bus: usize,
    pub(crate) kernel: Kernel,
    pub(crate) awake: bool,
    pub(crate) faded: Option<usize>,
    /// Its part in a bank that computes only what is heard.
    pub(crate) member: Member,
}

/// What acts on a voice in one block.
#[derive(Clone, Copy)]
pub(crate) struct Acts<'a> {
    pub(crate) start: u64,
    pub(crate) jumps: &'a [Scheduled],
    pub(crate) pulses: &'a [Scheduled],
}

impl Voice {
    /// A silent object with room for `contacts` simultaneous contacts, heard on `bus`.
    pub fn new(layout: Arc<Layout>, contacts: usize, bus: usize) -> Self {
        Self {
            modes: Modes::new(&layout),
            walk: Pair::zeros(layout.rows),
            side: Pair::zeros(layout.rows),
            reference: None,
            contacts: (0..contacts).map(|_| Contact::new(layout.block)).collect(),
            touched: false,
            bus,
            kernel: Kernel::Auto,
            awake: false,
            faded: None,
            member: Member::new(&layout),
            layout,
        }
    }

    /// The same, computed in f64 by the reference kernel. Slow; for judging the others.
    pub fn reference(layout: Arc<Layout>, contacts: usize, bus: usize) -> Self {
        let reference = Some(Reference::new(&layout));
        Self { reference, ..Self::new(layout, contacts, bus) }
    }

    /// Moves a contact: over the next block its gains glide to these. Gives back gains
    /// that are no longer needed (these themselves when there is no such contact or they
    /// were made for another object), to be freed off the audio thread.
    pub fn move_contact(&mut self, contact: usize, gains: Gains) -> Option<Gains> {
        self.touched = true;
        match self.contacts.get_mut(contact) {
            Some(contact) if gains.0.len() == self.layout.rows => contact.move_to(gains),
            _ => Some(gains),
        }
    }

    /// The force of a contact over the next block, N·s per sample, to be added to. It is
    /// zero again after the block, and unheard until the contact has gains.
    pub fn force(&mut self, contact: usize) -> Option<&mut [f32]> {
        self.touched = true;
        Some(self.contacts.get_mut(contact)?.force())
    }

    /// Whether anything moves.
    pub fn is_awake(&self) -> bool {
        self.awake
    }

    /// Blocks this voice has waited, whole or in part, for a budget to admit it.
    pub fn waited(&self) -> u32 {
        self.member.waited
    }

    /// Fades the voice out; the bank retires it afterwards.
    pub fn release(&mut self) {
        self.faded.get_or_insert(0);
    }

    /// The complex amplitude of a mode at the start of the next block: its sound goes on
    /// as `Im(S e^{λt})`. In a bank that computes only what is heard: when it was last computed.
    pub fn amplitude(&self, mode: usize) -> Complex64 {
        let Some(slot) = self.layout.slots.get(mode).copied().flatten() else {
            return Complex64::ZERO;
        };
        match &self.reference {
            Some(reference) => reference.amplitude(slot).unwrap_or_default(),
            None => self.modes.state.get(slot) * self.layout.constants.to_start.get(slot),
        }
    }

    /// The exact energy of a mode, |S|², at the start of the next block.
    pub fn energy(&self, mode: usize) -> f64 {
        self.amplitude(mode).norm_sqr()
    }

    /// Becomes silent when anything in it is not a number or louder than any sound:
    /// what overflowed in one mode has spoilt its neighbours, too.
    pub(crate) fn heal(&mut self) {
        let Pair { re, im } = &mut self.modes.state;
        let sound = |rows: &[Row]| flat(rows).iter().all(|x| x.abs() <= LOUDEST);
        if !(sound(re) && sound(im)) {
            re.fill(Row::default());
            im.fill(Row::default());
            self.contacts.iter_mut().for_each(|contact| contact.response_known = false);
            self.member.energy = 0.0;
        }
        if let Some(reference) = &mut self.reference {
            reference.heal();
        }
    }

    /// What this block asks for; wakes the voice when something acts on it.
    pub(crate) fn load(&mut self, acts: Acts<'_>) -> Load {
        let mut load =
            Load { jumps: acts.jumps.len(), forces: acts.pulses.len(), fresh: acts.pulses.len() };
        for contact in self.contacts.iter().filter(|_| self.touched) {
            if contact.pushed && contact.gains.is_some() {
                load.forces += 1 + usize::from(contact.next.is_some());
                load.fresh += usize::from(contact.next.is_some());
                load.fresh += usize::from(!contact.response_known);
            }
        }
        self.awake |= load.forces + load.jumps > 0;
        load
    }

    /// Silences forces that are not numbers; returns how many there were.
    pub(crate) fn sanitise(&mut self) -> u64 {
        if !self.touched {
            return 0;
        }
        let pushed = self.contacts.iter_mut().filter(|contact| contact.pushed);
        pushed.map(|contact| u64::from(contact.sanitise())).sum()
    }

    pub(crate) fn is_fading(&self) -> bool {
        self.faded.is_some()
    }

    /// Adds a block of sound. Returns false when a released voice has faded out.
    pub(crate) fn render(
        &mut self,
        work: &mut Work,
        acts: Acts<'_>,
        bus: &mut BusWork<'_>,
    ) -> bool {
        if self.awake {
            match (self.faded, &self.reference, self.kernel) {
                (Some(done), _, _) => self.fade(work, acts, bus.out, done),
                (None, Some(_), _) => self.run_reference(work, acts, bus.out),
                (None, None, Kernel::Spectral) => {
                    self.run_spectral(work, acts, bus);
                    let rows = self.layout.spectral_rows..self.layout.rows;
                    if !rows.is_empty() {
                        self.run_walk(work, acts, bus.out, rows);
                    }
                }
                _ => self.run_walk(work, acts, bus.out, 0..self.layout.rows),
            }
            self.tend(work, acts.start);
        }
        self.settle_block(work.block)
    }

    /// After a block: forces are spent. Returns false when a released voice has faded out.
    pub(crate) fn settle_block(&mut self, block: usize) -> bool {
        if std::mem::take(&mut self.touched) {
            self.contacts.iter_mut().for_each(Contact::settle);
        }
        if let Some(done) = &mut self.faded {
            *done += block;
            return *done < FADE && self.awake;
        }
        true
    }

    pub(crate) fn fade(&mut self, work: &mut Work, acts: Acts<'_>, out: &mut [f32], done: usize) {
        let mut dying = std::mem::take(&mut work.dying);
        dying.fill(0.0);
        if self.reference.is_some() {
            self.run_reference(work, acts, &mut dying);
        } else {
            self.run_walk(work, acts, &mut dying, 0..self.layout.rows);
        }
        for (n, (out, y)) in out.iter_mut().zip(&dying).enumerate() {
            let t = ((done + n) as f32 / FADE as f32).min(1.0);
            *out += y * (0.5 + 0.5 * (std::f32::consts::PI * t).cos());
        }
        work.dying = dying;
    }

    /// Keeps the state exact and free of denormal numbers.
    fn tend(&mut self, work: &Work, start: u64) {
        if let Some(reference) = &self.reference {
            self.awake = reference.sounds();
            return;
        }
        let (level, state) = (work.level, &mut self.modes.state);
        if (start / work.block as u64).is_multiple_of(RENEWAL) {
            self.awake = spectral::renew(level, state, &self.layout.constants.renewal, SILENCE);
            return;
        }
        for tile in self.layout.tiles.iter().filter(|tile| tile.fast) {
            let rows = tile.first_row..tile.first_row + tile.rows;
            spectral::hush(level, state, rows, SILENCE);
        }
        spectral::hush(level, state, self.layout.spectral_rows..self.layout.rows, SILENCE);
    }

    pub(crate) fn run_walk(
        &mut self,
        work: &mut Work,
        acts: Acts<'_>,
        out: &mut [f32],
        rows: std::ops::Range<usize>,
    ) {
        let (level, kernel, modes) = (work.level, &mut work.walk, &mut self.modes);
        let (walk, side) = (&mut self.walk, &mut self.side);
        per_sample::enter(level, modes, rows.clone(), walk);
        let driven =
            batches(&self.contacts, acts, &self.layout, &mut work.x, |i, forces, jumps| {
                let start = if i == 0 { &mut *walk } else { &mut *side };
                if i > 0 {
                    start.re[rows.clone()].fill(Row::default());
                    start.im[rows.clone()].fill(Row::default());
                }
                let rows = rows.clone();
                let turns = Turns::from(&*modes);
                let pass = Pass { turns, rows: rows.clone(), walk: start, forces, jumps, out };
                per_sample::run(level, kernel, pass);
                if i > 0 {
                    add(walk, side, rows);
                }
            });
        per_sample::leave(level, modes, rows, driven.then_some(&self.walk));
    }

    fn run_reference(&mut self, work: &mut Work, acts: Acts<'_>, out: &mut [f32]) {
        let Some(reference) = &mut self.reference else { return };
        let exact = &mut work.exact;
        exact.fill(0.0);
        reference.free(exact);
        batches(&self.contacts, acts, &self.layout, &mut work.x, |_, forces, jumps| {
            reference.forced(forces, jumps, exact);
        });
        out.iter_mut().zip(exact).for_each(|(o, y)| *o += *y as f32);
    }

    fn run_spectral(&mut self, work: &mut Work, acts: Acts<'_>, bus: &mut BusWork<'_>) {
        let (layout, modes) = (&*self.layout, &mut self.modes);
        bus.cover(&layout.spans);
        let mut moved = false;
        for contact in self.contacts.iter_mut().filter(|c| c.pushed) {
            let Some(gains) = &contact.gains else { continue };
            if !contact.response_known {
                work.response(modes, layout, gains, &mut contact.response);
                contact.response_known = true;
            }
            let shape = if contact.next.is_some() { Shape::FadingOut } else { Shape::Whole };
            shape.apply(&contact.force, &mut work.x[0]);
            work.force(modes, layout, gains, &contact.response, bus, &mut moved);
            if let Some(next) = &contact.next {
                let mut response = std::mem::take(&mut contact.response);
                work.response(modes, layout, next, &mut response);
                Shape::FadingIn.apply(&contact.force, &mut work.x[0]);
                work.force(modes, layout, next, &response, bus, &mut moved);
                contact.response = response;
            }
        }
        for pulse in acts.pulses {
            let Kind::Pulse { start, impact, gains } = &pulse.strike.0 else { continue };
            let mut response = std::mem::take(&mut work.pulse_response);
            work.response(modes, layout, gains, &mut response);
            work.x[0].fill(0.0);
            impact.sample_into(*start, layout.sample_rate_hz, &mut work.x[0], acts.start);
            work.force(modes, layout, gains, &response, bus, &mut moved);
            work.pulse_response = response;
        }
        if !moved {
            spectral::advance(work.level, modes, &layout.tiles, bus.cells, None);
        }
        for TimedJump { at, re, im } in acts.jumps.iter().filter_map(|s| s.jump(acts.start)) {
            work.x[0].fill(0.0);
            work.x[0][at] = 1.0;
            work.grid.gather(&work.x[0], &layout.spans, &mut work.nu);
            let drive = Drive { cells: &work.nu, gains: re };
            spectral::inject(work.level, modes, &layout.tiles, drive, Some(im));
            let cells = &mut work.cells;
            spectral::spread_gains(work.level, modes, &layout.tiles, cells, re, Some(im));
            let out = &mut bus.out[at..];
            work.grid.sound(&mut work.cells, &layout.spans, |n, y| {
                if let Some(out) = out.get_mut(n) {
                    *out += y;
                }
            });
        }
    }
}

fn add(sum: &mut Pair, more: &Pair, rows: std::ops::Range<usize>) {
    for (sum, more) in [(&mut sum.re, &more.re), (&mut sum.im, &more.im)] {
        for (sum, more) in sum[rows.clone()].iter_mut().zip(&more[rows.clone()]) {
            sum.0.iter_mut().zip(more.0).for_each(|(s, m)| *s += m);
        }
    }
}

/// Hands the forces and impulses of a block to `pass`, as many at a time as a pass takes;
/// the first pass comes in any case. Returns whether anything acted.
fn batches(
    contacts: &[Contact],
    acts: Acts<'_>,
    layout: &Layout,
    x: &mut [Vec<f32>; FORCES],
    mut pass: impl FnMut(usize, &[Force<'_>], &[TimedJump<'_>]),
) -> bool {
    let mut sources = sources(contacts, acts.pulses).peekable();
    let mut jumps = acts.jumps.iter().filter_map(|s| s.jump(acts.start)).peekable();
    let mut passes = 0;
    let mut driven = false;
    while passes == 0 || sources.peek().is_some() || jumps.peek().is_some() {
        let mut gains: [&[Row]; FORCES] = [&[]; FORCES];
        let mut count = 0;
        while count < FORCES
            && let Some(source) = sources.next()
        {
            source.fill(acts.start, layout.sample_rate_hz, &mut x[count]);
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
    Pulse(&'a Gains, f64, crate::excitation::Impact),
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
            Source::Pulse(_, start, impact) => {
                x.fill(0.0);
                impact.sample_into(*start, sample_rate_hz, x, block_start);
            }
        }
    }
}

fn sources<'a>(
    contacts: &'a [Contact],
    pulses: &'a [Scheduled],
) -> impl Iterator<Item = Source<'a>> {
    let contacts = contacts.iter().filter(|c| c.pushed).flat_map(|c| {
        let shape = if c.next.is_some() { Shape::FadingOut } else { Shape::Whole };
        let now = c.gains.as_ref().map(|g| Source::Contact(g, shape, &c.force));
        let next = c.next.as_ref().map(|g| Source::Contact(g, Shape::FadingIn, &c.force));
        now.into_iter().chain(next)
    });
    contacts.chain(pulses.iter().filter_map(|p| match &p.strike.0 {
        Kind::Pulse { start, impact, gains } => Some(Source::Pulse(gains, *start, *impact)),
        Kind::Jump { .. } => None,
    }))
}
