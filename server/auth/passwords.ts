import { hashPassword, verifyPassword } from 'better-auth/crypto';
import pLimit from 'p-limit';

/**
 * How many passwords a process hashes at the same time. Hashes, files and the handshakes of new database connections
 * share Node's four threads in order of arrival: without this limit, a burst of logins would delay all of them.
 */
const AT_ONCE = 2;

const inTurn = pLimit(AT_ONCE);

/** The accounts library's own hashing and verification of passwords (scrypt), a few at a time. */
export const passwordHashing = {
  hash: (password: string) => inTurn(() => hashPassword(password)),
  verify: (attempt: { hash: string; password: string }) => inTurn(() => verifyPassword(attempt)),
};
