//! Changes of synthesis: voices and strikes with and without a replacement.

use crate::common;

use common::{RATE, decay, random_gains, spread_log, unmasked};
use foley_dsp::excitation::Impact;
use foley_dsp::resonator::{
    Bank, BankSettings, Layout, Retired, SlotMap, Strike, Synthesis, SynthesisSwitch, Voice,
};
use std::sync::Arc;

const BLOCK: usize = 128;
const MODES: usize = 40;

/// Changes of layouts.
fn changes() -> [[Synthesis; 2]; 3] {
    let (exact, partials) = (Synthesis::Exact, Synthesis::Perceptual(unmasked()));
    let fewer = Synthesis::Perceptual(unmasked().with_detail(2.0));
    [[exact, partials], [partials, exact], [partials, fewer]]
}

fn bank(synthesis: Synthesis, voices: usize, strikes: usize) -> Bank {
    let settings = BankSettings::default().with_synthesis(synthesis).with_block(BLOCK);
    Bank::new(settings.with_voices(voices).with_strikes(strikes)).unwrap()
}

fn layout(synthesis: Synthesis) -> Arc<Layout> {
    let f = spread_log(MODES, 80.0, 9_000.0);
    Arc::new(synthesis.layout(&f, &[decay(3.0); MODES], RATE, BLOCK))
}

fn voice(synthesis: Synthesis) -> Box<Voice> {
    Box::new(Voice::new(layout(synthesis), 1, 0))
}

fn impulse(synthesis: Synthesis, at: f64, id: u64) -> Strike {
    let gains = random_gains(MODES, id);
    Strike::impulse(&layout(synthesis), &gains, 1e-3, at).with_id(id)
}

/// A sampled force that lasts for many blocks.
fn pulse(synthesis: Synthesis, at: f64, id: u64) -> Strike {
    let impact = Impact::new(1e-3, 20.0 * BLOCK as f64 / RATE).unwrap();
    Strike::new(&layout(synthesis), &random_gains(MODES, id), &impact, at).with_id(id)
}

fn render(bank: &mut Bank, blocks: usize) -> Vec<f32> {
    common::render(bank, blocks * BLOCK, |_| ())
}

/// Prepares a switch that replaces one voice.
fn switch(bank: &Bank, [old, new]: [Synthesis; 2], slot: usize) -> Box<SynthesisSwitch> {
    let mut switch = SynthesisSwitch::new(bank.settings(), new);
    assert!(switch.changes_layout());
    let (old, new) = (layout(old), layout(new));
    switch.replace_voice(slot, SlotMap::new(&old, &new), new, 1);
    Box::new(switch)
}

/// Returns the slots of retired voices and the ids of retired strikes, sorted.
fn take_retired(bank: &mut Bank) -> (Vec<usize>, Vec<u64>) {
    let (mut voices, mut strikes) = (Vec::new(), Vec::new());
    while let Some(retired) = bank.take_retired() {
        match retired {
            Retired::Voice(slot, _) => voices.push(slot),
            Retired::Strike(strike) => strikes.push(strike.id()),
            Retired::Switch(_) => (),
        }
    }
    voices.sort_unstable();
    strikes.sort_unstable();
    (voices, strikes)
}

/// Begins a change in which the ringing voice 0 is replaced and the ringing voice 1 is not. Both have a
/// future impulse, ids 3 and 4, and voice 1 has an active pulse, id 5.
fn half_replaced([old, new]: [Synthesis; 2]) -> Bank {
    let mut bank = bank(old, 2, 16);
    for slot in 0..2 {
        bank.insert(slot, voice(old)).unwrap();
        bank.strike(slot, impulse(old, 10.25, 1 + slot as u64)).unwrap();
        bank.strike(slot, impulse(old, 5.5 * BLOCK as f64, 3 + slot as u64)).unwrap();
    }
    bank.strike(1, pulse(old, 20.0, 5)).unwrap();
    render(&mut bank, 2);
    assert_eq!(take_retired(&mut bank), (vec![], vec![1, 2]));
    let mut switch = switch(&bank, [old, new], 0);
    switch.replace_strikes([impulse(new, 5.5 * BLOCK as f64, 3)]);
    bank.switch_synthesis(switch).unwrap();
    bank
}

/// Uses slot 1 again and checks that no strike of its former voice acts on the new one.
fn assert_slot_is_free(mut bank: Bank, synthesis: Synthesis) {
    bank.insert(1, voice(synthesis)).unwrap();
    let mut silent = Vec::new();
    for _ in 0..40 {
        render(&mut bank, 1);
        bank.report_silent(|slot, strikes| {
            silent.push((slot, strikes));
            true
        });
    }
    assert!(bank.voice(0).unwrap().is_awake() && !bank.voice(1).unwrap().is_awake());
    assert_eq!(silent, [(1, 0)]);
    assert_eq!(take_retired(&mut bank), (vec![], vec![3]));
}

#[test]
fn voices_without_a_replacement_end_at_once_with_their_strikes() {
    for change in changes() {
        let mut bank = half_replaced(change);
        render(&mut bank, 1);
        assert!(bank.voice(1).is_none() && bank.voice(0).unwrap().is_awake());
        assert_eq!(take_retired(&mut bank), (vec![1], vec![4, 5]));
        assert_slot_is_free(bank, change[1]);
    }
}

#[test]
fn a_strike_on_a_voice_without_a_replacement_is_refused_and_ends_it() {
    for change in changes() {
        let mut bank = half_replaced(change);
        assert!(bank.strike(1, impulse(change[1], 900.0, 6)).is_err());
        assert_eq!(take_retired(&mut bank), (vec![1], vec![4, 5]));
        assert_slot_is_free(bank, change[1]);
    }
}

#[test]
fn a_contact_on_a_voice_without_a_replacement_is_refused_and_ends_it() {
    for change in changes() {
        let mut bank = half_replaced(change);
        let gains = layout(change[1]).gains(&[1.0; MODES]);
        assert!(bank.move_contact(1, 0, gains).is_some());
        assert_eq!(take_retired(&mut bank), (vec![1], vec![4, 5]));
        assert_slot_is_free(bank, change[1]);
    }
}

#[test]
fn strikes_without_a_replacement_are_dropped() {
    for change @ [old, new] in changes() {
        let rendered = |dropped: bool| {
            let mut bank = bank(old, 1, 16);
            bank.insert(0, voice(old)).unwrap();
            bank.strike(0, impulse(old, 10.25, 1)).unwrap();
            bank.strike(0, impulse(old, 700.5, 2)).unwrap();
            if dropped {
                bank.strike(0, impulse(old, 600.5, 3)).unwrap();
                bank.strike(0, pulse(old, 400.5, 4)).unwrap();
            }
            let mut sound = render(&mut bank, 2);
            let mut switch = switch(&bank, change, 0);
            switch.replace_strikes([impulse(new, 700.5, 2)]);
            bank.switch_synthesis(switch).unwrap();
            sound.extend(render(&mut bank, 20));
            let strikes = if dropped { vec![1, 2, 3, 4] } else { vec![1, 2] };
            assert_eq!(take_retired(&mut bank), (vec![], strikes));
            sound
        };
        assert_eq!(rendered(true), rendered(false), "{old:?} to {new:?}");
    }
}

/// As long as there is no room for a voice that ends, the old synthesis renders it as before.
#[test]
fn a_voice_without_room_sounds_on_unchanged() {
    for [old, new] in changes() {
        let ringing = || {
            let mut bank = bank(old, 1, 1);
            // A strike and a voice that are not taken out fill the list of retired items.
            bank.insert(0, voice(old)).unwrap();
            bank.strike(0, impulse(old, 3.5, 1)).unwrap();
            render(&mut bank, 1);
            bank.release(0);
            render(&mut bank, 10);
            bank.insert(0, voice(old)).unwrap();
            assert!(bank.move_contact(0, 0, layout(old).gains(&[1e-3; MODES])).is_none());
            render(&mut bank, 1);
            bank.voice_mut(0).unwrap().force(0).unwrap()[5] = 1.0;
            render(&mut bank, 5);
            bank
        };
        let (mut waiting, mut unchanged) = (ringing(), ringing());
        let switch = Box::new(SynthesisSwitch::new(waiting.settings(), new));
        waiting.switch_synthesis(switch).unwrap();
        for block in 0..8 {
            let (got, want) = (render(&mut waiting, 1), render(&mut unchanged, 1));
            assert!(want.iter().any(|y| y.abs() > 1e-4));
            assert_eq!(got, want, "{old:?} to {new:?}, block {block}");
            // Gains of the new layout would be wrong for it.
            assert!(waiting.move_contact(0, 0, layout(new).gains(&[1.0; MODES])).is_some());
            assert!(waiting.is_switching() && waiting.voice(0).is_some());
        }
        assert_eq!(take_retired(&mut waiting), (vec![0], vec![1]));
        let rest = render(&mut waiting, 2);
        assert!(waiting.voice(0).is_none() && !waiting.is_switching());
        assert_eq!(take_retired(&mut waiting), (vec![0], vec![]));
        assert!(rest.iter().all(|y| y.abs() < 1e-6), "{old:?} to {new:?}");
    }
}

/// 128 modes per sample are handed over in a block. Moved voices are not limited, but leave less time
/// for the others.
#[test]
fn moved_voices_count_for_the_limit_of_a_block() {
    const VOICES: usize = 10;
    let f = spread_log(1_000, 80.0, 9_000.0);
    let d = [decay(3.0); 1_000];
    let (old, new) = (Synthesis::Exact, Synthesis::Perceptual(unmasked()));
    let of = |synthesis: Synthesis| Arc::new(synthesis.layout(&f, &d, RATE, 32));
    let (from, to) = (of(old), of(new));
    let slots = SlotMap::new(&from, &to);
    // Five voices exceed the limit of 4096 modes.
    for moved in [0, 2, 5, 9] {
        let mut bank = Bank::new(BankSettings::default().with_block(32)).unwrap();
        let mut switch = SynthesisSwitch::new(bank.settings(), new);
        for slot in 0..VOICES {
            bank.insert(slot, Box::new(Voice::new(from.clone(), 1, 0))).unwrap();
            switch.replace_voice(slot, slots.clone(), to.clone(), 1);
        }
        bank.switch_synthesis(Box::new(switch)).unwrap();
        for slot in 0..moved {
            assert!(bank.move_contact(slot, 0, to.gains(&[1.0; 1_000])).is_none());
        }
        let mut used = 0;
        while bank.is_switching() {
            bank.render(&mut [0.0; 32]);
            used += 1;
        }
        assert_eq!(used, 2, "{moved} moved");
    }
}
