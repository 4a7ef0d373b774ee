import { Alert, Button, Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { afterPaint } from '#client/lib/after-paint.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Texts of a `RestoredNotice`. */
export type RestoredWords = {
  /** If not Italian. */
  lang?: string;
  restart: string;
  question: string;
  loss: string;
  confirm: string;
  cancel?: string;
};

const ITALIAN: RestoredWords = {
  restart: 'Ricomincia da capo',
  question: 'Ricominciare da capo?',
  loss: 'Quello che hai compilato e non hai ancora inviato andrà perso.',
  confirm: 'Ricomincia',
};

/** Says in `children` that a form began with earlier input, and offers to begin anew. */
export function RestoredNotice({
  words,
  onRestart,
  children,
}: {
  /** Other texts than those of a form to be sent. */
  words?: Partial<RestoredWords>;
  onRestart: () => void;
  children: string;
}) {
  const { lang, restart, question, loss, confirm, cancel } = { ...ITALIAN, ...words };
  const [asking, setAsking] = useState(false);
  return (
    <Alert color="blue" icon={<IconHistory size={20} stroke={1.75} aria-hidden="true" />}>
      <Group justify="space-between" gap="sm">
        {/* A long word would push the notice out of a phone. */}
        <Text span style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
        <Button variant="default" size="compact-md" onClick={() => setAsking(true)}>
          {restart}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        lang={lang}
        title={question}
        confirmLabel={confirm}
        cancelLabel={cancel}
        onConfirm={() =>
          new Promise<void>((restarted) =>
            afterPaint(() => {
              onRestart();
              restarted();
            }),
          )
        }
        onClose={() => setAsking(false)}
      >
        {loss}
      </ConfirmDialog>
    </Alert>
  );
}
