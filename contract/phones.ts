/** Formats an Italian E.164 number in groups for reading aloud: '+39 02 0000 0000', '+39 300 000 0000'. */
export function spokenPhone(number: string): string {
  const local = number.replace(/^\+39/, '');
  const area = local.startsWith('02') || local.startsWith('06') ? 2 : 3;
  const rest = local.slice(area).replace(/(\d{3,4})(?=\d{4}$)/, '$1 ');
  return `+39 ${local.slice(0, area)} ${rest}`;
}
