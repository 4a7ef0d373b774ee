/** The list of projects, searched for one. */
export function projectPath(name: string): string {
  return `/app/progetti-team?cerca=${encodeURIComponent(name)}`;
}

/** The customer's list of invoices, searched for one. */
export function invoicePath(number: string): string {
  return `/app/pagamenti-fatture?vista=fatture&cerca=${encodeURIComponent(number)}`;
}

/** The customer's page of a trip request. */
export function tripRequestPath(id: number | string): string {
  return `/app/nuova-trasferta/richieste/${id}`;
}
