import { Anchor, Badge, Button, Group, List, Table, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Output, useOperation, useRole } from '../../api/operations.ts'
import { language, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { When } from '../../parts/inline.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import tables from './tables.module.css'

type Figures = Output<'read_ledger'>

const VERDICTS: Readonly<Record<Figures['verdict'], { readonly color: string; readonly says: string }>> = {
  balanced: { color: 'teal', says: t('balanced') },
  in_progress: { color: 'yellow', says: t('in progress') },
  unbalanced: { color: 'red', says: t('unbalanced') },
}

/**
 * What came in and where it is, counted by id in both stores. It is an owner’s: counting reads everything that there
 * is.
 */
export const Ledger = () => {
  const role = useRole()
  const { data, error, refetch } = useOperation('read_ledger', {}, { enabled: role === 'owner' })
  // What the page reads by itself leaves the button, and the focus on it, as they are.
  const [isAsked, setAsked] = useState(false)
  if (role !== undefined && role !== 'owner') {
    return (
      <Text size="sm">
        {t('The ledger is for the owners of the workspace; you are its {role}.', { role: word(role) })}
      </Text>
    )
  }
  if (data === undefined) {
    return error === null ? <LoadingState rows={6} /> : <ErrorState error={error} retry={refetch} />
  }
  const { color, says } = VERDICTS[data.verdict]
  return (
    <>
      <Group justify="space-between" mb="md" align="flex-start">
        <div className="reading">
          <Group gap="sm">
            <Badge color={color} variant="dot" tt="none" size="lg">
              {says}
            </Badge>
            <Text size="sm">
              {t('{received} received, {data} finished', {
                received: data.received.toLocaleString(language),
                data: ended(data).toLocaleString(language),
              })}
            </Text>
          </Group>
          <Text size="xs" c="dimmed" mt={4}>
            {rich('Counted {when}.', { when: <When at={data.counted_at} /> })}
          </Text>
          {data.reasons.length > 0 && (
            <List size="sm" mt="sm">
              {data.reasons.map(reason => (
                <List.Item key={reason}>{reason}</List.Item>
              ))}
            </List>
          )}
        </div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={isAsked}
          onClick={() => {
            setAsked(true)
            void refetch().finally(() => setAsked(false))
          }}
        >
          {t('Refresh')}
        </Button>
      </Group>
      <LedgerTable of={data} />
      {data.differences.length > 0 && <Differences of={data.differences} />}
    </>
  )
}

const ended = ({ inserted, occurrences, dead }: Figures) => inserted.postgres + occurrences.postgres + dead.postgres

const LedgerTable = ({ of: figures }: { readonly of: Figures }) => {
  const rows: readonly (readonly [title: string, about: string, postgres: number | null, clickhouse: number | null])[] =
    [
      [t('Received'), t('each recorded when it came in'), null, figures.received],
      [t('Inserted'), t('a signal of its own'), figures.inserted.postgres, figures.inserted.clickhouse],
      [
        t('Duplicates'),
        t('counted with their originals'),
        figures.occurrences.postgres,
        figures.occurrences.clickhouse,
      ],
      [
        t('Dead'),
        t('{dead_waiting} waiting, {dead_replayed} replayed, {dead_discarded} discarded', {
          dead_waiting: figures.dead_waiting,
          dead_replayed: figures.dead_replayed,
          dead_discarded: figures.dead_discarded,
        }),
        figures.dead.postgres,
        figures.dead.clickhouse,
      ],
      [t('In progress'), t('not finished yet'), null, figures.in_progress],
    ]
  const odd = [
    [t('Ended twice'), figures.ended_twice],
    [t('Recorded twice'), figures.recorded_twice],
    [t('Evidence on a claim that was merged into another'), figures.misplaced],
    [t('Problems and ideas without a claim'), figures.stranded],
    [t('Ended without being recorded as received'), figures.without_receipt],
  ] as const
  return (
    <>
      <Table aria-label={t('Ledger')} maw={720} className={tables.quiet ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Each signal once, by its id')}</Table.Th>
            <Table.Th ta="end">{'PostgreSQL'}</Table.Th>
            <Table.Th ta="end">{'ClickHouse'}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([title, about, postgres, clickhouse]) => (
            <Table.Tr key={title}>
              <Table.Td>
                {title}{' '}
                <Text span size="xs" c="dimmed">
                  {about}
                </Text>
              </Table.Td>
              <Table.Td ta="end">{postgres?.toLocaleString(language) ?? ''}</Table.Td>
              <Table.Td ta="end">{clickhouse?.toLocaleString(language) ?? ''}</Table.Td>
            </Table.Tr>
          ))}
          {odd
            .filter(([, count]) => count > 0)
            .map(([title, count]) => (
              <Table.Tr key={title}>
                <Table.Td c="var(--mantine-color-error)">{title}</Table.Td>
                <Table.Td />
                <Table.Td ta="end">{count.toLocaleString(language)}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {figures.oldest_in_progress_at !== null && (
        <Text size="xs" c="dimmed" mt="sm">
          {rich('The oldest in progress was received {when}.', { when: <When at={figures.oldest_in_progress_at} /> })}
        </Text>
      )}
    </>
  )
}

interface DifferencesProps {
  readonly of: Output<'read_ledger'>['differences']
}

/** The first signals that one store has at an end and the other has not, each leading to its way. */
const Differences = ({ of: differences }: DifferencesProps) => (
  <>
    <Title order={2} mt="xl" mb="sm">
      {t('Where the stores differ')}
    </Title>
    <Table aria-label={t('Where the stores differ')} maw={720} className={tables.quiet ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('End [of a way]')}</Table.Th>
          <Table.Th>{t('Only in PostgreSQL')}</Table.Th>
          <Table.Th>{t('Only in ClickHouse')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {differences.map(({ end, only_in_postgres, only_in_clickhouse }) => (
          <Table.Tr key={end}>
            <Table.Td>{word(end)}</Table.Td>
            <Table.Td>
              <Signals of={only_in_postgres} />
            </Table.Td>
            <Table.Td>
              <Signals of={only_in_clickhouse} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </>
)

const Signals = ({ of: ids }: { readonly of: readonly string[] }) =>
  ids.map(id => (
    <div key={id}>
      <Anchor component={Link} to={`/app/pipeline/signal?id=${id}`} size="xs" ff="monospace">
        {id}
      </Anchor>
    </div>
  ))
