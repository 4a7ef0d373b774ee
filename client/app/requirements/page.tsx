import { Anchor, Stack } from '@mantine/core';
import { useState } from 'react';
import { toast } from '#client/lib/toast.ts';
import { Link } from '#client/ui/link.tsx';
import { PageHeader, PageLinks } from '#client/ui/page-header.tsx';
import { RestoredNotice, type RestoredWords } from '#client/ui/restored-notice.tsx';
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

const RESTORED: RestoredWords = {
  lang: 'en',
  restart: 'Start over',
  question: 'Start over?',
  loss: 'What you have entered and not sent yet will be lost.',
  confirm: 'Start over',
  cancel: 'Cancel',
};

/** @param onAnew when an empty form is to take the place of this one, which was submitted or discarded */
function RequirementsWizard({ anew, onAnew }: { anew: boolean; onAnew: () => void }) {
  const { mutateAsync } = useSendRequirements();
  const draft = useRequirementsDraft(anew);
  const wizard = useWizard({
    steps: REQUIREMENTS_STEPS,
    draft,
    anew,
    errorsOf,
    settle: withAddition,
    contentOf: (values) => requirementsSchema.safeParse(inputOf(values)).data ?? null,
    send: (requirements, attempt) => mutateAsync({ requirements, attempt }),
    onSent: () => {
      toast({ title: REQUIREMENTS_TEXTS.submitted, lang: 'en' });
      onAnew();
    },
  });
  const { form, step } = wizard;
  return (
    <Stack gap="lg">
      {draft.restored && (
        <RestoredNotice
          words={RESTORED}
          onRestart={() => {
            draft.discard();
            onAnew();
          }}
        >
          You are continuing requirements you have not sent yet.
        </RestoredNotice>
      )}
      <WizardFrame wizard={wizard} words={WORDS}>
        {step === 0 && <TripDetails form={form} />}
        {step === 1 && <Accommodation form={form} />}
        {step === 2 && <SpecialNeeds form={form} />}
        {step === 3 && <Review values={form.getValues()} />}
      </WizardFrame>
    </Stack>
  );
}

/** The requirements wizard (spec §2), in English. */
export default function RequirementsPage() {
  const [round, setRound] = useState(0);
  return (
    <div lang="en" className={styles.page}>
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
      <RequirementsWizard key={round} anew={round > 0} onAnew={() => setRound(round + 1)} />
    </div>
  );
}
