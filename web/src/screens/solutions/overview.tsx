import { Anchor, Button, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useCanEdit } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { Discussion } from '../../parts/discussion/discussion.tsx'
import { Reference, When } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import { LoadingState } from '../../parts/states.tsx'
import { AnsweredClaims } from './answers.tsx'
import { HandOffDialog } from './later-dialogs.tsx'
import { Markdown } from './markdown/markdown.tsx'
import classes from './solution.module.css'
import { ByLine, Section, type SolutionOutput, type SolutionTab } from './solution-parts.tsx'
import { HANDOFF_NAMES } from './words.ts'

/** Only a Solution that is done has one. */
const Outcome = lazy(loadPart(() => import('./outcome.tsx').then(({ Outcome: loaded }) => ({ default: loaded }))))

/** What a Solution is, what it answers, the strongest evidence, its handoffs, and what came of it. */
export const Overview = ({ solution, context }: Omit<SolutionTab, 'tab'>) => (
  <Stack gap="xl">
    <section className="reading" aria-label={t('Summary')}>
      {solution.text === '' ? (
        <Text size="sm" c="dimmed">
          {t('It has no summary.')}
        </Text>
      ) : (
        <Markdown text={solution.text} />
      )}
    </section>
    {solution.state === 'Done' && (
      <Suspense fallback={<LoadingState rows={3} />}>
        <Outcome solution={solution} recorded={context.outcome !== null} />
      </Suspense>
    )}
    <AnsweredClaims solution={solution} />
    <Evidence evidence={context.evidence} />
    <Handoffs solution={solution} />
    <Discussion about={solution.reference} owner={solution.owner} />
  </Stack>
)

const MAX_QUOTED = 6

const Evidence = ({ evidence }: { readonly evidence: SolutionTab['context']['evidence'] }) => (
  <Section title={t('Strongest evidence')} count={evidence.signals}>
    {evidence.items.length === 0 ? (
      <Text size="sm" c="dimmed">
        {t('There is no evidence, so its place on the board depends on its age alone.')}
      </Text>
    ) : (
      <ul className={classes.rows}>
        {evidence.items.slice(0, MAX_QUOTED).map(quoted => (
          <li key={quoted.reference}>
            <Quote text={quoted.text} most={280} />
            <Text size="xs" c="dimmed" component="div" className={classes.about}>
              <Reference of={quoted.reference} />
              {(quoted.actor_name ?? quoted.account) !== undefined && <bdi>{quoted.actor_name ?? quoted.account}</bdi>}
              {quoted.source !== null && <bdi>{quoted.source}</bdi>}
              <span>{word(quoted.signal_origin)}</span>
              <When at={quoted.occurred_at} />
            </Text>
          </li>
        ))}
      </ul>
    )}
  </Section>
)

/**
 * Designs and pull requests: those that the Solution was handed off with, and those that name it and wait for a person.
 */
const Handoffs = ({ solution }: { readonly solution: SolutionOutput }) => {
  const [dialog, setDialog] = useState<{ readonly url?: string } | null>(null)
  const canEdit = useCanEdit()
  const { handoffs, proposed_handoffs, transitions, state } = solution
  // In Review, another may be added.
  const mayHandOff = canEdit && (state === 'In Review' || transitions.some(({ made_by }) => made_by === 'handoff'))
  const connected = new Set(handoffs.map(({ url }) => url))
  const waiting = proposed_handoffs.filter(({ url }) => url === null || !connected.has(url))
  return (
    <Section title={t('Handoffs')} action={mayHandOff ? { label: t('Hand off'), run: () => setDialog({}) } : null}>
      {handoffs.length + waiting.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('None. From Planned or In Progress, a design or a pull request moves it to In Review.')}
        </Text>
      )}
      <ul className={classes.rows}>
        {waiting.map(({ repository, number, title, url, state: news, occurred_at }) => (
          <li key={`${repository} ${number}`} className={classes.row}>
            <span className={classes.name}>
              <bdi>{title}</bdi>
              <Text size="xs" c="dimmed" component="span" className={classes.about}>
                <Outside url={url} text={`${repository}#${number}`} />
                <span>{t('{news}, mentions this Solution', { news: word(news) })}</span>
                <When at={occurred_at} />
              </Text>
            </span>
            {mayHandOff && url !== null && (
              <Button size="compact-sm" variant="light" aria-description={title} onClick={() => setDialog({ url })}>
                {t('Confirm')}
              </Button>
            )}
          </li>
        ))}
        {handoffs.map(({ kind, url, pull_request, decision, author_name, key_label, handed_off_at, withdrawn_at }) => (
          <li key={`${decision} ${url}`} className={classes.row} data-withdrawn={withdrawn_at !== null || undefined}>
            <span className={classes.name}>
              <Outside url={url} text={url} />
              <Text size="xs" c="dimmed" component="span" className={classes.about}>
                <span>{HANDOFF_NAMES[kind]}</span>
                {pull_request !== null && (
                  <bdi>{`${pull_request.repository}#${pull_request.number}, ${pull_request.state}`}</bdi>
                )}
                <ByLine name={author_name} label={key_label} />
                <When at={handed_off_at} />
                {withdrawn_at !== null && <span>{t('withdrawn')}</span>}
              </Text>
            </span>
            <Reference of={decision} />
          </li>
        ))}
      </ul>
      {dialog !== null && <HandOffDialog solution={solution} url={dialog.url} onClose={() => setDialog(null)} />}
    </Section>
  )
}

/** An address from outside: a link only where it leads to a page. */
const Outside = ({ url, text }: { readonly url: string | null; readonly text: string }) =>
  url !== null && /^https?:\/\//i.test(url) ? (
    <Anchor href={url} target="_blank" rel="noreferrer nofollow" inherit className="anywhere">
      <bdi>{text}</bdi>
    </Anchor>
  ) : (
    <bdi>{text}</bdi>
  )
