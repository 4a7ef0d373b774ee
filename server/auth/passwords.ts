import { hashPassword, verifyPassword } from 'better-auth/crypto';

/**
 * How many passwords a process hashes at the same time. Hashes, files and the handshakes of new database connections
 * share Node's four threads in order of arrival: without this limit, a burst of logins would delay all of them.
 */
const AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs `hash` when fewer than `AT_ONCE` others run. */
async function inTurn<Result>(hash: () => Promise<Result>): Promise<Result> {
  if (running < AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await hash();
  } finally {
    // The next one takes over the place.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The accounts library's own hashing and verification of passwords (scrypt), a few at a time. */
export const passwordHashing = {
  hash: (password: string) => inTurn(() => hashPassword(password)),
  verify: (attempt: { hash: string; password: string }) => inTurn(() => verifyPassword(attempt)),
};
