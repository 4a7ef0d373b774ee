/**
 * What `asked` resolves to, or `otherwise` when it rejects or takes longer than `ms`: for callers that must answer even
 * when what they ask does not.
 */
export function answerWithin<Answer>(ms: number, asked: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  const late = new Promise<Answer>((resolve) => setTimeout(resolve, ms, otherwise).unref());
  return Promise.race([asked.catch(() => otherwise), late]);
}
