import { Alert, Stack, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Lines } from '#client/ui/lines.tsx';
import {
  REQUIREMENTS_STEPS,
  REQUIREMENTS_TEXTS,
  type Requirements,
  requirementsLines,
  requirementsSchema,
} from '#contract/requirements.ts';
import { type FormValues, inputOf } from './draft.ts';
import styles from './review.module.css';

/** The steps with fields, including those left empty. */
function reviewOf(requirements: Requirements) {
  const parts = new Map(requirementsLines(requirements).map(({ title, lines }) => [title, lines]));
  return REQUIREMENTS_STEPS.slice(0, -1).map(({ title }) => ({
    title,
    lines: parts.get(title) ?? [],
  }));
}

/** Step 4 'Review': all input, before it is submitted. */
export function Review({ values }: { values: FormValues }) {
  const parsed = requirementsSchema.safeParse(inputOf(values));
  return (
    <Stack gap="lg">
      {parsed.success &&
        reviewOf(parsed.data).map(({ title, lines }) => (
          <div key={title}>
            <Title order={3} size="h4">
              {title}
            </Title>
            {lines.length === 0 && <p className={styles.none}>None</p>}
            {lines.length > 0 && <Lines lines={lines} look="long-labels" />}
          </div>
        ))}
      <Alert color="blue" icon={<IconInfoCircle size={20} stroke={1.75} aria-hidden="true" />}>
        {REQUIREMENTS_TEXTS.disclaimer}
      </Alert>
    </Stack>
  );
}
