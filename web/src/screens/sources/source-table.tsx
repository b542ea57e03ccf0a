import { Anchor, Badge, Group, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Output } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { When } from '../../parts/inline.tsx'
import { LinkedTable } from '../../parts/lists.tsx'
import { StackingTable } from '../../parts/stacking-table.tsx'
import { openSheet } from '../../parts/use-url-state.ts'
import { kindOf, wordsOf } from './kinds.ts'

/** What of an entry of the history says that a source was opened from the list. */
export const SOURCE_SHEET = 'source'

export type Source = Output<'list_sources'>['items'][number]

interface Props {
  readonly sources: readonly Source[]
}

/** Every source in a line: what it is, when something last came, and what came of it in a day. */
export const SourceTable = ({ sources }: Props) => (
  <StackingTable minWidth={640} label={t('Sources')}>
    <LinkedTable aria-label={t('Sources')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Source')}</Table.Th>
          <Table.Th w={130}>{t('Last seen')}</Table.Th>
          <Table.Th ta="end" w={130}>
            {t('Accepted, 24 h')}
          </Table.Th>
          <Table.Th ta="end" w={130}>
            {t('Refused, 24 h')}
          </Table.Th>
          <Table.Th w={220}>{t('Most frequent reason')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sources.map(source => (
          <SourceRow key={source.id} of={source} />
        ))}
      </Table.Tbody>
    </LinkedTable>
  </StackingTable>
)

const SourceRow = ({ of: source }: { readonly of: Source }) => {
  const { label, icon: Icon } = kindOf(source)
  const { accepted_last_day: accepted, refused_last_day: refused, last_seen_at: last } = source
  return (
    <Table.Tr>
      <Table.Td maw={320} data-whole>
        <Group gap="sm" wrap="nowrap">
          <Icon size={18} stroke={1.5} aria-hidden style={{ flex: 'none' }} />
          <div style={{ minWidth: 0 }}>
            <Anchor
              component={Link}
              to={`/app/settings/sources/${source.id}`}
              state={openSheet(SOURCE_SHEET)}
              size="sm"
              fw={550}
              truncate="end"
              display="block"
            >
              <bdi>{source.name}</bdi>
            </Anchor>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
          </div>
          {source.paused_at !== null && (
            <Badge variant="light" color="yellow" tt="none" size="sm">
              {t('paused')}
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        {last === null ? <Text c="dimmed">{accepted === null ? t('not known') : t('never')}</Text> : <When at={last} />}
      </Table.Td>
      <Table.Td ta="end" data-label={t('Accepted, 24 h')}>
        {accepted?.toLocaleString(language) ?? '–'}
      </Table.Td>
      <Table.Td ta="end" data-label={t('Refused, 24 h')} c={refused ? 'var(--mantine-color-error)' : ''}>
        {refused?.toLocaleString(language) ?? '–'}
      </Table.Td>
      <Table.Td data-whole>
        <Text size="xs" c="dimmed" truncate="end">
          {wordsOf(source.refusals_last_day?.[0]?.reason ?? '')}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}
