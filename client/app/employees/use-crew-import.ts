import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { teamStatsQuery } from '#client/app/projects/api.ts';
import { isRefused } from '#client/lib/failures.ts';
import { useKeptState } from '#client/lib/kept-forms.ts';
import { toast } from '#client/lib/toast.ts';
import { counted } from '#client/lib/words.ts';
import { isSampleProject } from '#contract/projects.ts';
import { useImportCrew } from './api.ts';
import { type listIn, readCrewList } from './crew-list.ts';
import { importOf, type KnownPeople } from './crew-plan.ts';
import { useProjectOptions } from './project-options.ts';
import { useKnownPeople } from './use-known-people.ts';

/** The project that the people of a list join, if any. */
function useProjectChoice() {
  const [projectId, choose] = useKeptState('crew project', '');
  const projects = useQuery(teamStatsQuery);
  const options = useProjectOptions(
    (projects.data?.distribution ?? []).filter(({ projectId: id }) => !isSampleProject(id)),
  );
  // A project that was closed or deleted meanwhile is no longer offered, so it is not sent either.
  const chosen = options.some(({ value }) => value === projectId) ? projectId : '';
  return { projects, options, chosen, choose };
}

/** A list as sent, when it is being imported or unknown whether it was. */
type Unheard = { text: string; project: string; skipKnown: boolean; anyRole: boolean; known: KnownPeople };

/**
 * A list being imported: what was entered, what the import will do, and sending it.
 * @param onClose called once it is imported
 */
export function useCrewImport(onClose: () => void) {
  const [text, setText] = useKeptState('crew list', '');
  const [skipKnown, setSkipKnown] = useKeptState('crew without known', true);
  const [anyRole, setAnyRole] = useKeptState('crew any role', false);
  const project = useProjectChoice();
  const { chosen } = project;
  /** With the time, so that what fails again is told again, in the same words. */
  const [failure, setFailure] = useState<{ words: string; at: number } | null>(null);
  const importCrew = useImportCrew();
  // Reading a long list and showing its lines takes longer than a letter has.
  const read = useDeferredValue(text);
  const list = useMemo(() => readCrewList(read, { anyRole }), [read, anyRole]);
  const { rows } = list;
  const wrong = rows.filter(({ input }) => !input).length;
  const sound = useMemo(() => rows.filter(({ input }) => input), [rows]);
  // Without those of invalid rows: one that is too long would make the server reject the whole look-up.
  const names = useMemo(() => sound.map(({ fullName }) => fullName), [sound]);
  const { found, checking: lookingUp, unchecked } = useKnownPeople(names);
  const [unheard, setUnheard] = useKeptState<Unheard | null>('crew unheard', null);
  const again =
    unheard?.text === text &&
    unheard.project === chosen &&
    unheard.skipKnown === skipKnown &&
    unheard.anyRole === anyRole
      ? unheard
      : null;
  // As long as nothing is changed, exactly the same people are sent again, so that they are added once (`creatingOnce`).
  // The look-up may already find them now; leaving any of them out would make it a different list.
  const known = again?.known ?? found;
  const checking = read !== text || (!again && lookingUp) || project.projects.isPending;
  const repeated = sound.filter(({ fullName }) => known.has(fullName)).length;
  const target = useMemo(
    () => ({ projectId: chosen === '' ? null : Number(chosen), skipKnown }),
    [chosen, skipKnown],
  );
  const plan = useMemo(() => importOf(sound, known, target), [sound, known, target]);

  const fail = (words: string) => setFailure({ words, at: Date.now() });

  async function send() {
    setFailure(null);
    // From now on, because the look-up that follows an import finds the people just added, while the dialog closes.
    setUnheard({ text, project: chosen, skipKnown, anyRole, known });
    try {
      const { added, assigned } = await importCrew.mutateAsync({ ...plan, projectId: target.projectId });
      const done = [
        added > 0 && `${counted(added, 'persona aggiunta', 'persone aggiunte')} al team`,
        assigned > 0 && `${counted(assigned, 'persona assegnata', 'persone assegnate')} al progetto`,
      ];
      toast({ title: 'Elenco importato', message: done.filter(Boolean).join(', ') });
      onClose();
    } catch (error) {
      if (isRefused(error)) setUnheard(again);
      fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** Takes what has been read from a file into the field, or says why nothing has. */
  function takeFile(read: Awaited<ReturnType<typeof listIn>>) {
    if ('refusal' in read) return fail(read.refusal);
    setFailure(null);
    setText(read.list);
  }

  return {
    text,
    setText,
    project,
    skipKnown,
    setSkipKnown,
    anyRole,
    setAnyRole,
    list,
    /** The number of invalid rows. */
    wrong,
    /** The number of rows with a role that the product does not have. */
    otherRoles: rows.filter(({ unknownRole }) => unknownRole).length,
    known,
    /** The number of rows with the name of an employee. */
    repeated,
    /** Whether the look-up of employees with these names failed. */
    unchecked,
    target,
    /** What the import will do. */
    plan,
    /** Whether that is still to be found out. */
    checking,
    failure,
    takeFile,
    sending: importCrew.isPending,
    send,
  };
}

/** An import that is being prepared or sent. */
export type CrewImport = ReturnType<typeof useCrewImport>;
