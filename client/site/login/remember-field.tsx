import { Checkbox } from '#client/ui/field.tsx';

/** Whether the session outlives the browser (spec §9). */
export function RememberField() {
  return <Checkbox name="remember" label="Ricordami per 30 giorni" />;
}
