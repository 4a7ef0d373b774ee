import { IconPlus } from '@tabler/icons-react';
import styles from './faq.module.css';

export type Question = { question: string; answer: string };

/**
 * Numbered questions, one open at a time: `<details name>` does this in the browser without scripts.
 * @param name distinguishes this list from others on the same page
 */
export function Faq({ name, questions }: { name: string; questions: readonly Question[] }) {
  return (
    <div className={styles.list}>
      {questions.map(({ question, answer }, index) => (
        <details key={question} name={name} className={styles.item}>
          <summary className={styles.question}>
            <span className={styles.number}>{String(index + 1).padStart(2, '0')}</span>
            <h3 className={styles.text}>{question}</h3>
            <IconPlus className={styles.sign} size={24} stroke={1.75} aria-hidden="true" />
          </summary>
          <p className={styles.answer}>{answer}</p>
        </details>
      ))}
    </div>
  );
}

/** The same questions as structured data for search engines. */
export function faqJsonLd(questions: readonly Question[]) {
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}
