import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { toast } from '#client/lib/toast.ts';
import { counted } from '#client/lib/words.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { EMPLOYEE_TEXTS, SWITCHABLE_STATUSES, type SwitchableStatus } from '#contract/employees.ts';
import { figure } from '#contract/figures.ts';
import type { Project } from '#contract/projects.ts';
import { useChangeTeamStatus } from './api.ts';
import { countAway } from './words.ts';

function labelOf(status: SwitchableStatus, count: number): string {
  if (status === 'in trasferta') return 'Segna come in trasferta';
  return count === 1 ? 'Segna come rientrato' : 'Segna come rientrati';
}

function questionOf(status: SwitchableStatus, count: number): string {
  return status === 'Rientrato'
    ? `Segnare ${counted(count, 'dipendente come rientrato', 'dipendenti come rientrati')}?`
    : `Segnare ${counted(count, 'dipendente', 'dipendenti')} come in trasferta?`;
}

/** Buttons for when a crew leaves or comes home: each changes the status of those of a team whom it concerns. */
export function TeamStatus({ project: { id, name, status, team } }: { project: Project }) {
  const change = useChangeTeamStatus();
  const [asking, setAsking] = useState(false);
  // What the question is about while it closes, although the numbers have changed.
  const [asked, setAsked] = useState<{ to: SwitchableStatus; count: number }>({ to: 'Rientrato', count: 0 });
  const away = countAway(team);
  // Nobody leaves for a project that is completed.
  const home = status === 'Completato' ? 0 : team.length - away;
  const counts = { Rientrato: away, 'in trasferta': home };
  return (
    <>
      {away + home > 0 && (
        <Group gap="xs" mb="sm" role="group" aria-label={`Stato del team di ${name}`}>
          {SWITCHABLE_STATUSES.filter((to) => counts[to] > 0).map((to) => (
            <Button
              key={to}
              variant="default"
              size="sm"
              aria-haspopup="dialog"
              onClick={() => {
                setAsked({ to, count: counts[to] });
                setAsking(true);
              }}
            >
              {labelOf(to, counts[to])} ({figure(counts[to])})
            </Button>
          ))}
        </Group>
      )}
      <ConfirmDialog
        opened={asking}
        title={questionOf(asked.to, asked.count)}
        confirmLabel={labelOf(asked.to, asked.count)}
        destructive={false}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await change.mutateAsync({ id, status: asked.to });
          toast({
            title:
              asked.count === 1
                ? EMPLOYEE_TEXTS.statusChanged
                : counted(asked.count, 'dipendente aggiornato', 'dipendenti aggiornati'),
          });
        }}
      >
        Lo stato diventa «{asked.to}» nel team di <strong>{name}</strong> e in ogni altro progetto di chi ne
        fa parte.
      </ConfirmDialog>
    </>
  );
}
