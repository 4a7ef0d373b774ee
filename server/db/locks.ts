/**
 * All advisory locks of the product, named after what their holder does exclusively. The numbers are arbitrary but must
 * be unique in a database.
 */
export const LOCKS = {
  /** Migrates the database. */
  migrations: 7_278_842_001,
  /** Runs on the embedded PostgreSQL, for the life of the application. */
  application: 7_278_842_002,
  /** Takes database and files at one instant, for a backup. Writers of files hold it shared (migration 0041). */
  files: 7_278_842_003,
  /** Grants rights on the job queue's tables. */
  grants: 7_278_842_004,
  /** Makes the roles that the server logs in as. */
  logins: 7_278_842_005,
  /** Gives the demo customer a year of records. */
  demo: 7_278_842_006,
  /** Held shared by transactions that write all invoices of a large project (migration 0153). */
  manyInvoices: 7_278_842_007,
  /** Writes a backup into one folder; the number is combined with the folder's path. */
  backup: 7_278_842_008,
} as const;
