// Renders the rings with a WebAssembly module. Usage: node render.mjs MODULE.wasm SOUND.f32
// Writes raw samples, f32, little endian, and prints the time by the clock that the module read.
import { readFileSync, writeFileSync } from "node:fs";

const [modulePath, soundPath] = process.argv.slice(2);
const host = { now_s: () => performance.now() / 1000 };
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), { host });
const foley = instance.exports;

const count = foley.foley_render();
if (count === 0) {
  const bytes = new Uint8Array(foley.memory.buffer, foley.foley_error(), foley.foley_error_length());
  console.error(new TextDecoder().decode(bytes));
  process.exit(1);
}
writeFileSync(soundPath, new Uint8Array(foley.memory.buffer, foley.foley_samples(), 4 * count));
console.log(foley.foley_render_s());
