import { Button } from '@mantine/core';
import { IconFileSpreadsheet, IconTable } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { afterPaint } from '#client/lib/after-paint.ts';
import { saveFile } from '#client/lib/save-file.ts';
import { toastFailure } from '#client/lib/toast.ts';
import { Menu } from '#client/ui/menu.tsx';
import { todayInRome } from '#contract/dates.ts';
import type { ExportFormat } from '#contract/lists.ts';

/** 'Esporta' of a list: downloads the file that `load` returns, or reports the failure. */
export function ExportMenu({
  name,
  load,
}: {
  /** What the file is called, followed by today's date. */
  name: string;
  load: (format: ExportFormat) => Promise<Blob>;
}) {
  const save = useMutation({
    mutationFn: load,
    onSuccess: (content, format) => saveFile(content, `${name}-${todayInRome()}.${format}`),
    onError: toastFailure,
  });
  /** The menu closes first. */
  const request = (format: ExportFormat) => void afterPaint(() => save.mutate(format));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={save.isPending}
          leftSection={<IconTable size={18} aria-hidden="true" />}
        >
          Esporta
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconFileSpreadsheet size={18} aria-hidden="true" />}
          onClick={() => request('xlsx')}
        >
          Excel (.xlsx)
        </Menu.Item>
        <Menu.Item leftSection={<IconTable size={18} aria-hidden="true" />} onClick={() => request('csv')}>
          CSV (.csv)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
