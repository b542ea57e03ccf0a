import { Stack, Text } from '@mantine/core'
import { Quote } from '../../parts/quote.tsx'
import { Reference } from '../../parts/reference.tsx'
import { When } from '../../parts/when.tsx'
import { AnsweredClaims } from './answers.tsx'
import { Handoffs } from './handoffs.tsx'
import { Markdown } from './markdown/markdown.tsx'
import { Outcome } from './outcome.tsx'
import { Section } from './section.tsx'
import classes from './solution.module.css'
import type { SolutionTab } from './solution-tabs.tsx'

/** What a Solution is, what it answers, the strongest evidence, its handoffs, and what came of it. */
export const Overview = ({ solution, context }: Omit<SolutionTab, 'tab'>) => (
  <Stack gap="xl">
    <section className="reading" aria-label="Summary">
      {solution.text === '' ? (
        <Text size="sm" c="dimmed">
          It has no summary.
        </Text>
      ) : (
        <Markdown text={solution.text} />
      )}
    </section>
    {solution.state === 'Done' && <Outcome solution={solution} recorded={context.outcome !== null} />}
    <AnsweredClaims solution={solution} />
    <Evidence evidence={context.evidence} />
    <Handoffs solution={solution} />
  </Stack>
)

const MOST_QUOTED = 6

const Evidence = ({ evidence }: { readonly evidence: SolutionTab['context']['evidence'] }) => (
  <Section title="Strongest evidence" count={evidence.count}>
    {evidence.items.length === 0 ? (
      <Text size="sm" c="dimmed">
        None: only its age places it on the board.
      </Text>
    ) : (
      <ul className={classes.rows}>
        {evidence.items.slice(0, MOST_QUOTED).map(quoted => (
          <li key={quoted.reference}>
            <Quote text={quoted.text} most={280} />
            <Text size="xs" c="dimmed" component="div" className={classes.about}>
              <Reference of={quoted.reference} />
              <bdi>{quoted.actor_name ?? 'Nobody named'}</bdi>
              {quoted.source !== null && <bdi>{quoted.source}</bdi>}
              <span>{quoted.signal_origin}</span>
              <When at={quoted.occurred_at} />
            </Text>
          </li>
        ))}
      </ul>
    )}
  </Section>
)
