import type { TripRequestState } from '#contract/trip-requests.ts';

const WITHDRAWABLE: readonly TripRequestState[] = ['Inviata', 'In lavorazione', 'Proposta inviata'];

/**
 * Whether a customer may withdraw a request themselves. Once it is confirmed, rooms are booked and they have to call.
 */
export function canWithdraw(state: TripRequestState): boolean {
  return WITHDRAWABLE.includes(state);
}
