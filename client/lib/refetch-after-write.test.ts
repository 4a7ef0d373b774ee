import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { readAgain } from './refetch-after-write.ts';

/** A list, and how each of its reads so far is answered. */
function listOf(client: QueryClient) {
  const answers: ((rows: string[]) => void)[] = [];
  const queryKey = ['projects', 'list'];
  const queryFn = () => new Promise<string[]>((resolve) => answers.push(resolve));
  const show = () => new QueryObserver(client, { queryKey, queryFn, staleTime: 60_000 }).subscribe(() => {});
  const asked = (times: number) => vi.waitFor(() => expect(answers).toHaveLength(times));
  const known = () => client.getQueryData(queryKey);
  return { answers, show, asked, known };
}

test('a list that is first being read while something is created is read again', async () => {
  const client = new QueryClient();
  const { answers, show, asked, known } = listOf(client);
  show();
  await asked(1);
  const read = readAgain(client, ['projects'], ['dashboard']);
  await asked(2);
  answers[1]?.(['before', 'created']);
  answers[0]?.(['before']);
  await read;
  expect(known()).toEqual(['before', 'created']);
});

test('a list that was left while it was being read is read anew when it is shown again', async () => {
  const client = new QueryClient();
  const { answers, show, asked, known } = listOf(client);
  const leave = show();
  await asked(1);
  leave();
  await readAgain(client, ['projects']);
  answers[0]?.(['before']);
  show();
  await asked(2);
  answers[1]?.(['before', 'created']);
  await vi.waitFor(() => expect(known()).toEqual(['before', 'created']));
});

test('a list of something else goes on being read', async () => {
  const client = new QueryClient();
  const { answers, show, asked, known } = listOf(client);
  show();
  await asked(1);
  await readAgain(client, ['invoices']);
  answers[0]?.(['before']);
  await vi.waitFor(() => expect(known()).toEqual(['before']));
  expect(answers).toHaveLength(1);
});
