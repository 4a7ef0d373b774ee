/**
 * Preloaded into a server process (`node --import`): at each SIGUSR2 its clock jumps, as when it is set by hand or by a
 * time server. Timers keep running, as in reality.
 */
const HOUR_MS = 3_600_000;
const JUMPS = [2 * HOUR_MS, -2 * HOUR_MS, -30_000, 5 * HOUR_MS, 0];

const RealDate = Date;
let jump = 0;
let offset = 0;

process.on('SIGUSR2', () => {
  offset = JUMPS[jump % JUMPS.length] ?? 0;
  jump += 1;
});

function now(): number {
  return RealDate.now() + offset;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, property) => (property === 'now' ? now : Reflect.get(target, property)),
});
