import { type TripRequestState, WAITING_STATES } from '#contract/trip-requests.ts';

const WITHDRAWABLE: readonly TripRequestState[] = WAITING_STATES;

/**
 * Whether a customer may withdraw a request themselves. Once it is confirmed, rooms are booked and they have to call.
 */
export function canWithdraw(state: TripRequestState): boolean {
  return WITHDRAWABLE.includes(state);
}
