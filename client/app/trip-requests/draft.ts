import { useCallback } from 'react';
import { useDraft } from '#client/lib/drafts.ts';
import { firstMessages } from '#client/lib/form-errors.ts';
import { useMe } from '#client/lib/session.ts';
import { deviceStorage } from '#client/lib/storage.ts';
import type { WizardDraft } from '#client/ui/wizard.tsx';
import { type CalendarDate, todayInRome } from '#contract/dates.ts';
import type { Project } from '#contract/projects.ts';
import { type TripRequestDetail, type TripRequestInput, tripRequestSchema } from '#contract/trip-requests.ts';

/** A number as entered in its field; may still be incomplete text. */
type Figure = number | string;

/** The wizard's form values. */
export type FormValues = {
  citta: string;
  posizione: string;
  dataInizio: string;
  dataFine: string;
  progetto: string;
  /** What it was started from, which the name may have been changed from since. */
  projectId?: number;
  ragione: string;
  numeroDipendenti: Figure;
  alloggio: TripRequestDetail['alloggio'];
  preferenzaAlloggio: NonNullable<TripRequestDetail['preferenzaAlloggio']>;
  camere: { singole: Figure; doppie: Figure; suite: Figure };
  requisiti: TripRequestDetail['requisiti'];
  budget: Figure;
  budgetNote: string;
  priorita: TripRequestDetail['priorita'];
  altreRichieste: string;
  telefono: string;
  email: string;
};

/** Once it is changed, it counts as an ordinary request, whatever it was started from. */
export type Draft = WizardDraft<FormValues> & {
  /** Says what it was started from. */
  origin?: string | null;
};

/** An untouched form (spec §9, defaults). */
export function emptyValues(email: string): FormValues {
  return {
    citta: '',
    posizione: '',
    dataInizio: '',
    dataFine: '',
    progetto: '',
    ragione: '',
    numeroDipendenti: 1,
    alloggio: 'entrambi',
    preferenzaAlloggio: 'nessuna preferenza',
    camere: { singole: 0, doppie: 0, suite: 0 },
    requisiti: {
      colazione: 'preferibile',
      lavanderia: 'preferibile',
      parcheggio: 'preferibile',
      cucina: 'preferibile',
    },
    budget: 0,
    budgetNote: '',
    priorita: 'costo',
    altreRichieste: '',
    telefono: '',
    email,
  };
}

/**
 * The signed-in customer's unsent request, kept in the browser until it is sent or discarded (spec §4).
 * @param anew starts with an empty form, even if another tab keeps a draft
 */
export function useTripRequestDraft(anew = false) {
  const { email } = useMe();
  return useDraft<Draft>(
    'trip-request',
    { values: emptyValues(email), step: 0, attempt: null, origin: null },
    { lasting: true, anew },
  );
}

/** A new form based on an earlier request; its dates are only kept if its start has not passed. */
export function startingFrom(request: TripRequestDetail): Draft {
  const ahead = request.dataInizio >= todayInRome();
  return {
    step: 0,
    attempt: null,
    origin: `Hai duplicato la richiesta per ${request.citta}.`,
    values: {
      citta: request.citta,
      posizione: request.posizione,
      dataInizio: ahead ? request.dataInizio : '',
      dataFine: ahead ? request.dataFine : '',
      // As it is called now.
      progetto: request.projectName ?? request.progetto,
      projectId: request.projectId ?? undefined,
      ragione: request.ragione,
      numeroDipendenti: request.numeroDipendenti,
      alloggio: request.alloggio,
      preferenzaAlloggio: request.preferenzaAlloggio ?? 'nessuna preferenza',
      camere: request.camere,
      requisiti: request.requisiti,
      budget: request.budget,
      budgetNote: request.budgetNote ?? '',
      priorita: request.priorita,
      altreRichieste: request.altreRichieste ?? '',
      telefono: request.telefono,
      email: request.email,
    },
  };
}

/** A new form for the people of a project, and for those of its days that have not passed. */
export function startingFromProject(
  { id, name, location, startDate, endDate, teamSize }: Project,
  email: string,
  today: CalendarDate = todayInRome(),
): Draft {
  return {
    step: 0,
    attempt: null,
    origin: `Hai ripreso i dati del progetto ${name}.`,
    values: {
      ...emptyValues(email),
      citta: location,
      progetto: name,
      projectId: id,
      numeroDipendenti: Math.max(1, teamSize),
      dataInizio: startDate >= today ? startDate : '',
      dataFine: endDate >= today ? endDate : '',
    },
  };
}

/**
 * Stores the last request sent from this browser (spec §3), and reads it back; null when there is none, or when it no
 * longer matches the schema.
 */
export function useLastTripRequest() {
  const key = `trasvia:last-trip-request:${useMe().id}`;
  const store = useCallback(
    (request: TripRequestInput) => void deviceStorage.write(key, JSON.stringify(request)),
    [key],
  );
  const read = useCallback((): Partial<FormValues> | null => {
    try {
      const parsed = tripRequestSchema.safeParse(JSON.parse(deviceStorage.read(key) ?? 'null'));
      if (!parsed.success) return null;
      const { dataInizio: _start, dataFine: _end, ...request } = parsed.data;
      return {
        ...request,
        preferenzaAlloggio: request.preferenzaAlloggio ?? 'nessuna preferenza',
        budgetNote: request.budgetNote ?? '',
        altreRichieste: request.altreRichieste ?? '',
      };
    } catch {
      return null;
    }
  }, [key]);
  return { store, read };
}

/** Messages of the invalid fields of `values`, field path → message. */
export function errorsOf(values: FormValues): Record<string, string> {
  // An empty date is missing rather than invalid.
  const { dataInizio, dataFine } = values;
  return firstMessages(
    tripRequestSchema.safeParse({
      ...values,
      dataInizio: dataInizio || undefined,
      dataFine: dataFine || undefined,
    }),
  );
}
