/*
 * Figures that Linux reports: memory and processor time of processes, and the time taken by the hypervisor.
 */
import { readFile } from 'node:fs/promises';
import type { ServerProcess } from '#server/testing/process.ts';

/** A process and its descendants. */
async function familyOf(pid: number | undefined): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return [Number(pid), ...children.trim().split(' ').filter(Boolean).map(Number)];
}

/** Resident memory of a server and its workers, in MB. */
export async function memoryOf({ child: { pid } }: ServerProcess): Promise<number> {
  let kilobytes = 0;
  for (const id of await familyOf(pid)) {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  }
  return kilobytes / 1000;
}

/** Processor time that these processes and their descendants have used so far, in ms. */
export async function processorTimeOf(...pids: (number | undefined)[]): Promise<number> {
  let ticks = 0;
  for (const id of (await Promise.all(pids.map(familyOf))).flat()) {
    const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
    // User and system time, in hundredths of a second, are 11 fields after the name.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    ticks += user + system;
  }
  return ticks * 10;
}

/** Processor time since boot, in ms, that the host gave to others while this virtual machine wanted it ("steal" in /proc/stat). */
export async function stolenTime(): Promise<number> {
  const [all = ''] = (await readFile('/proc/stat', 'utf8').catch(() => '')).split('\n');
  return Number(all.split(/ +/)[8] ?? 0) * 10;
}
