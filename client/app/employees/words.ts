/** Names of an employee's fields. */
export const EMPLOYEE_LABELS = {
  name: 'Nome',
  surname: 'Cognome',
  role: 'Ruolo',
  department: 'Reparto',
  email: 'Email',
  phone: 'Telefono',
} as const;
