import { Button, Drawer, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { type Output, useOperationPages } from '../../../api/operations.ts'
import { counted, language, t, word } from '../../../language/messages.ts'
import { rich } from '../../../language/rich.ts'
import { unlessBeneath } from '../../../parts/beneath.ts'
import { boost, clip, percent, priority } from '../../../parts/formats.ts'
import { Reference } from '../../../parts/inline.tsx'
import { ErrorState, LoadingState } from '../../../parts/states.tsx'
import classes from '../score-explanation.module.css'

interface Neighbour {
  readonly reference: string
  readonly manual_rank: number | null
  readonly score?: number
}

interface Props {
  /** Its reference; null: nobody asked. */
  readonly of: string | null
  /** What stands right before and after it, where the board is shown. */
  readonly above?: Neighbour | undefined
  readonly below?: Neighbour | undefined
  readonly onClose: () => void
}

/** Why a Solution stands where it does: each term of its priority, actor by actor. */
export const ScoreExplanation = ({ of: reference, above, below, onClose }: Props) => (
  <Drawer
    opened={reference !== null}
    onClose={unlessBeneath(onClose)}
    position="right"
    size="lg"
    title={t('Why {reference} is here', { reference })}
    closeButtonProps={{ 'aria-label': t('Close') }}
  >
    {reference !== null && (
      <Stack gap="md">
        <Explained reference={reference} />
        {(above !== undefined || below !== undefined) && (
          <Text size="sm" c="dimmed">
            {[
              ...(above === undefined ? [] : [t('Before it: {above}', { above: neighbour(above) })]),
              ...(below === undefined ? [] : [t('After it: {below}', { below: neighbour(below) })]),
            ].join('. ')}
            .
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {t(
            'A signal of a customer weighs 1, of operations 0.7, of a colleague 0.4. Every 90 days its weight halves. Each further signal of the same actor counts less: a hundred from one count less than one each from ten. RICE is not used for this.',
          )}
        </Text>
      </Stack>
    )}
  </Drawer>
)

const neighbour = ({ reference, manual_rank, score = 0 }: Neighbour): string =>
  manual_rank === null
    ? t('{reference} with a score of {score}', { reference, score: priority(score) })
    : t('{reference}, ranked {manual_rank} by hand', { reference, manual_rank })

const PAGE = 50

const Explained = ({ reference }: { readonly reference: string }) => {
  const { first, items, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'explain_priority',
    { solution_id: reference, limit: PAGE },
  )
  if (first === undefined) {
    return error === null ? <LoadingState rows={5} /> : <ErrorState error={error} retry={refetch} />
  }
  const { manual_rank, evidence_priority, priority_boost, score, count, signals } = first
  return (
    <>
      {manual_rank !== null && (
        <Text size="sm">
          {rich(
            'A person gave it the rank {manual_rank}: it comes before every Solution without a rank, whatever its score.',
            {
              manual_rank: <b>{manual_rank}</b>,
            },
          )}
        </Text>
      )}
      <dl className={classes.equation}>
        <Part label={t('Evidence')} value={priority(evidence_priority)} />
        <Part label={t('Boost')} value={boost(priority_boost)} />
        <Part label={t('Score')} value={`= ${priority(score)}`} strong />
      </dl>
      {count === 0 ? (
        <Text size="sm" c="dimmed">
          {t('Its claims have no evidence, so only its age decides its place.')}
        </Text>
      ) : (
        <>
          <Text size="sm">
            {t('The evidence is the sum over {actors} with {signals} of ln(1 + weight):', {
              actors: counted(count, 'actor'),
              signals: counted(signals, 'signal'),
            })}
          </Text>
          <TermTable terms={items} />
          {hasNextPage && (
            <Group>
              <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
                {t('Show more of {count} actors', { count: count.toLocaleString(language) })}
              </Button>
            </Group>
          )}
        </>
      )}
    </>
  )
}

const Part = ({
  label,
  value,
  strong = false,
}: {
  readonly label: string
  readonly value: string
  readonly strong?: boolean
}) => (
  <div>
    <dt>{label}</dt>
    <dd data-strong={strong || undefined}>{value}</dd>
  </div>
)

type Term = Output<'explain_priority'>['items'][number]

const MAX_CHARACTERS = 60

/** Every actor’s term with its share; opened, the signals that it is made of. */
const TermTable = ({ terms }: { readonly terms: readonly Term[] }) => (
  <table className={classes.terms} aria-label={t('Actors')}>
    <thead>
      <tr>
        <th scope="col">{t('Actor')}</th>
        <th scope="col">{t('Weight')}</th>
        <th scope="col">{t('Term')}</th>
        <th scope="col">{t('Share')}</th>
      </tr>
    </thead>
    {terms.map((term, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the heaviest first, as of one moment: their order never changes
      <TermRows key={place} term={term} />
    ))}
  </table>
)

const TermRows = ({ term }: { readonly term: Term }) => {
  const [opened, setOpened] = useState(false)
  const name = clip(term.actor_name ?? t('Nobody named'), MAX_CHARACTERS)
  return (
    <tbody>
      <tr>
        <th scope="row">
          <UnstyledButton className={classes.actor ?? ''} aria-expanded={opened} onClick={() => setOpened(!opened)}>
            <IconChevronRight size={14} className={classes.chevron} aria-hidden />
            <span>
              <bdi>{name}</bdi>
              {term.source !== null && (
                <Text span c="dimmed" fz="xs" display="block">
                  <bdi>{clip(term.source, MAX_CHARACTERS)}</bdi>
                </Text>
              )}
            </span>
          </UnstyledButton>
        </th>
        <td>{priority(term.weight)}</td>
        <td>{priority(term.term)}</td>
        <td>
          <span className={classes.share}>
            <span className={classes.bar}>
              <span style={{ width: `${term.share * 100}%` }} />
            </span>
            {percent(term.share, 1)}
          </span>
        </td>
      </tr>
      {opened &&
        term.signals.map(({ signal, signal_origin, signal_count, weight, share: of }) => (
          <tr key={signal} className={classes.signal}>
            <th scope="row">
              <Reference of={signal} /> {word(signal_origin)}, {counted(signal_count, 'time')}
            </th>
            <td>{priority(weight)}</td>
            <td />
            <td>{percent(of, 1)}</td>
          </tr>
        ))}
    </tbody>
  )
}
