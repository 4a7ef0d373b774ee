import { Button } from '@mantine/core';
import { IconFileSpreadsheet, IconTable } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { saveFile } from '#client/lib/save-file.ts';
import { Menu } from '#client/ui/menu.tsx';
import { toast } from '#client/ui/toast.ts';
import { todayInRome } from '#contract/dates.ts';
import type { ExportFormat } from '#contract/invoices.ts';

/** Saves the file that `load` brings; a failure is said. */
function useSavedExport(load: (format: ExportFormat) => Promise<Blob>) {
  return useMutation({
    mutationFn: load,
    onSuccess: (content, format) => saveFile(content, `fatture-${todayInRome()}.${format}`),
    onError: (error) => toast({ title: 'Errore', message: error.message, kind: 'error' }),
  });
}

function ExportButton(props: Pick<ComponentProps<typeof Button<'button'>>, 'loading' | 'onClick'>) {
  return (
    <Button
      {...props}
      variant="default"
      leftSection={<IconTable size={18} stroke={1.75} aria-hidden="true" />}
    >
      Esporta
    </Button>
  );
}

/** 'Esporta' of a list that is brought as CSV alone. */
export function ExportCsvButton({ load }: { load: () => Promise<Blob> }) {
  const save = useSavedExport(load);
  return <ExportButton loading={save.isPending} onClick={() => save.mutate('csv')} />;
}

/** 'Esporta' of a list, with the formats to choose from. */
export function ExportMenu({ load }: { load: (format: ExportFormat) => Promise<Blob> }) {
  const save = useSavedExport(load);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ExportButton loading={save.isPending} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconFileSpreadsheet size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => save.mutate('xlsx')}
        >
          Excel (.xlsx)
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTable size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => save.mutate('csv')}
        >
          CSV (.csv)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
