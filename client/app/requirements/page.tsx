import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { toast } from '#client/lib/toast.ts';
import { Link } from '#client/ui/link.tsx';
import { PageHeader, PageLinks } from '#client/ui/page-header.tsx';
import { useWizard, WizardFrame, type WizardWords } from '#client/ui/wizard.tsx';
import { REQUIREMENTS_STEPS, REQUIREMENTS_TEXTS, requirementsSchema } from '#contract/requirements.ts';
import { useSendRequirements } from './api.ts';
import { errorsOf, inputOf, useRequirementsDraft, withAddition } from './draft.ts';
import styles from './page.module.css';
import { Review } from './review.tsx';
import { Accommodation, SpecialNeeds, TripDetails } from './wizard-steps.tsx';

const WORDS: WizardWords = {
  position: (step, of) => `Step ${step} of ${of}`,
  progress: 'Progress',
  back: 'Back',
  next: 'Continue',
  send: 'Submit',
  sending: 'Submitting...',
  wrong: (count) => (count === 1 ? '1 field needs your attention.' : `${count} fields need your attention.`),
};

function RequirementsWizard({ anew, onSubmitted }: { anew: boolean; onSubmitted: () => void }) {
  const { mutateAsync } = useSendRequirements();
  const wizard = useWizard({
    steps: REQUIREMENTS_STEPS,
    draft: useRequirementsDraft(anew),
    anew,
    errorsOf,
    settle: withAddition,
    contentOf: (values) => requirementsSchema.safeParse(inputOf(values)).data ?? null,
    send: (requirements, attempt) => mutateAsync({ requirements, attempt }),
    onSent: () => {
      toast({ title: REQUIREMENTS_TEXTS.submitted, lang: 'en' });
      onSubmitted();
    },
  });
  const { form, step } = wizard;
  return (
    <WizardFrame wizard={wizard} words={WORDS}>
      {step === 0 && <TripDetails form={form} />}
      {step === 1 && <Accommodation form={form} />}
      {step === 2 && <SpecialNeeds form={form} />}
      {step === 3 && <Review values={form.getValues()} />}
    </WizardFrame>
  );
}

/** The requirements wizard (spec §2), in English. */
export default function RequirementsPage() {
  const [round, setRound] = useState(0);
  return (
    <>
      <div lang="en" className={styles.header}>
        <PageHeader
          title="Travel requirements"
          intro="Tell us what your people need, step by step."
          actions={
            <PageLinks>
              <Anchor component={Link} to="/app/nuova-trasferta" lang="it">
                Nuova Trasferta
              </Anchor>
            </PageLinks>
          }
        />
      </div>
      <div lang="en">
        <RequirementsWizard key={round} anew={round > 0} onSubmitted={() => setRound(round + 1)} />
      </div>
    </>
  );
}
