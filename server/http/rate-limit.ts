import { BlockList, isIP, isIPv6 } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequestsText } from '#contract/errors.ts';
import { counterKey, countersOn } from '#server/db/counters.ts';
import { AppError } from '#server/errors.ts';
import type { AppEnv } from './env.ts';

/**
 * At most `points` calls with the same `key` in each window of `seconds`. Those after the first `slowAfter` are delayed
 * more and more, and those beyond `points` are refused with too_many_requests, or with `refusal`, which is given the
 * seconds until the next call. `isRepeated` lets one of them through that repeats a call within the limit, whose answer
 * was lost.
 */
export type RateLimit = {
  key: string;
  points: number;
  seconds: number;
  slowAfter?: number;
  refusal?: (seconds: number) => AppError;
  isRepeated?: () => Promise<boolean>;
};

/** The delay of the first call that is slowed down; each further one doubles it, up to the longest. */
const SHORTEST_WAIT_MS = 125;
const LONGEST_WAIT_MS = 2000;

/** The delay in ms of call number `count` in a window, when the first `slowAfter` are not delayed. */
export function slowDownMs(count: number, slowAfter: number): number {
  if (count <= slowAfter) return 0;
  return Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** (count - slowAfter - 1));
}

const tooMany = (seconds: number) =>
  new AppError('too_many_requests', undefined, tooManyRequestsText(seconds));

function refuse(c: Context<AppEnv>, { msBeforeNext }: RateLimiterRes, refusal = tooMany): never {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  c.header('Retry-After', String(seconds));
  throw refusal(seconds);
}

/**
 * Counts this call, and delays it after many others, unless rate limits are off in the configuration.
 * @param limit its `key` names the action and whose calls are counted, such as `login:${address}`; only its hash is
 *   stored, so it may contain an address or an e-mail
 * @throws AppError too_many_requests or another refusal, answered with Retry-After in seconds
 */
export async function limitRate(
  c: Context<AppEnv>,
  { key, points, seconds, slowAfter = points, refusal, isRepeated }: RateLimit,
): Promise<void> {
  const { env, pool } = c.get('services');
  if (!env.rateLimits) return;
  const hashed = counterKey(key);
  const count = await countersOn(pool).consume(hashed, 1, { customDuration: seconds });
  if (count.consumedPoints > points && !(await isRepeated?.())) refuse(c, count, refusal);
  const wait = slowDownMs(count.consumedPoints, slowAfter);
  if (wait > 0) await setTimeout(wait);
}

/** Refuses what `limitRate` would refuse by the same limit now, without counting it. */
export async function checkRate(c: Context<AppEnv>, { key, points, refusal }: RateLimit): Promise<void> {
  const { env, pool } = c.get('services');
  if (!env.rateLimits) return;
  const count = await countersOn(pool).get(counterKey(key));
  if (count && count.consumedPoints >= points) refuse(c, count, refusal);
}

/** Resets the count of `key`, for a caller who proved not to be guessing. */
export async function forgetRate(c: Context<AppEnv>, key: string): Promise<void> {
  const { env, pool } = c.get('services');
  if (env.rateLimits) await countersOn(pool).delete(counterKey(key));
}

/** Networks that no outside caller can come from: a peer there is the operator's own proxy. */
const ownNetworks = new BlockList();
ownNetworks.addSubnet('127.0.0.0', 8);
ownNetworks.addSubnet('10.0.0.0', 8);
ownNetworks.addSubnet('172.16.0.0', 12);
ownNetworks.addSubnet('192.168.0.0', 16);
ownNetworks.addAddress('::1', 'ipv6');
ownNetworks.addSubnet('fc00::', 7, 'ipv6');

function isOwn(hop: string): boolean {
  return isIP(hop) !== 0 && ownNetworks.check(hop, isIP(hop) === 6 ? 'ipv6' : 'ipv4');
}

/** A hop without the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}

/**
 * The address a request came from. Behind proxies it is the last one in X-Forwarded-For that is not a proxy's own:
 * entries further left were written by the caller and prove nothing.
 */
export function callerAddress(c: Context<AppEnv>): string {
  const peer = getConnInfo(c).remote.address ?? '';
  const path = [...(c.req.header('x-forwarded-for')?.split(',') ?? []), peer].map((hop) =>
    withoutPort(hop.trim()),
  );
  return path.findLast((hop) => !isOwn(hop)) ?? peer;
}

/**
 * The group in which a caller's calls are counted: the IPv4 address, or the first half of the IPv6 address, because the
 * caller can choose the other half.
 */
export function callerLine(c: Context<AppEnv>): string {
  const address = callerAddress(c);
  // An address with a dot is an IPv4 address written as IPv6.
  if (!isIPv6(address) || address.includes('.')) return address;
  const [start = '', end = ''] = address.split('::');
  const groupsOf = (part: string) => part.split(':').filter((group) => group !== '');
  const [before, after] = [groupsOf(start), groupsOf(end)];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
