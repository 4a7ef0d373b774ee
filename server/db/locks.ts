/**
 * Every advisory lock of the product, by what whoever holds it does alone. A number says nothing by itself; it must only be
 * no other's in the same database.
 */
export const LOCKS = {
  /** Migrates the database. */
  migrations: 7_278_842_001,
  /** Runs on the embedded PostgreSQL, for the life of the application. */
  application: 7_278_842_002,
  /** Takes database and files at one instant, for a backup. Migration 0041 has its writers of files hold it in common. */
  files: 7_278_842_003,
  /** Grants rights on the job queue's tables. */
  grants: 7_278_842_004,
  /** Makes the roles that the server logs in as. */
  logins: 7_278_842_005,
  /** Gives the demo customer a year of records. */
  demo: 7_278_842_006,
  /** Held in common by whoever writes all invoices of a project: migration 0153. */
  manyInvoices: 7_278_842_007,
} as const;
