/** The list of projects, searched for one. */
export function projectPath(name: string): string {
  return `/app/progetti-team?cerca=${encodeURIComponent(name)}`;
}

/** The customer's list of invoices, searched for one. */
export function invoicePath(number: string): string {
  return `/app/pagamenti-fatture?vista=fatture&cerca=${encodeURIComponent(number)}`;
}

/** The provider's list of requests, those of one customer. */
export function customerRequestsPath(id: string): string {
  return `/app/gestione-richieste?cliente=${encodeURIComponent(id)}`;
}

/** The list of accounts, limited to one. */
export function accountPath(id: string): string {
  return `/app/user-management?utente=${encodeURIComponent(id)}`;
}

/** The customer's list of trip requests, those of one project. */
export function projectRequestsPath(id: number): string {
  return `/app/nuova-trasferta/richieste?progetto=${id}`;
}

/** The customer's page of a trip request. */
export function tripRequestPath(id: number | string): string {
  return `/app/nuova-trasferta/richieste/${id}`;
}
