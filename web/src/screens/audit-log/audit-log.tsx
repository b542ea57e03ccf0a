import { Button, Group, Table, Text } from '@mantine/core'
import { IconDownload, IconListDetails } from '@tabler/icons-react'
import { useMemo } from 'react'
import { DAY_MS } from '../../../../schemas/domain/durations.ts'
import { AUDIT_ACTIONS, type AuditAction } from '../../../../schemas/domain/vocabulary.ts'
import { type Output, useOperationPages } from '../../api/operations.ts'
import { fromService, t, word } from '../../language/messages.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { When } from '../../parts/inline.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { StackingTable } from '../../parts/stacking-table.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { AUDIT_WORDS, DETAIL_WORDS } from './audit-words.ts'

const DEFAULTS = { query: '', action: '', days: '' }
const PAGE = 50

const PERIODS = [
  { value: '1', label: t('Last 24 hours') },
  { value: '7', label: t('Last 7 days') },
  { value: '30', label: t('Last 30 days') },
  { value: '365', label: t('Last 12 months') },
]

const ACTIONS = AUDIT_ACTIONS.map(action => ({ value: action, label: AUDIT_WORDS[action] })).toSorted((one, other) =>
  one.label.localeCompare(other.label),
)

const actionOf = (text: string): AuditAction | undefined => AUDIT_ACTIONS.find(action => action === text)

/** Settings → Installation → Audit log: who did what to accounts, keys and settings. For administrators. */
const AuditLog = () => {
  const [state, change] = useUrlState(DEFAULTS)
  const query = state.query.trim()
  const action = actionOf(state.action)
  // One moment for all pages of a filter.
  const from = useMemo(
    () => (state.days === '' ? null : new Date(Date.now() - Number(state.days) * DAY_MS).toISOString()),
    [state.days],
  )
  const filters = {
    ...(query !== '' && { query }),
    ...(action !== undefined && { actions: [action] }),
    ...(from !== null && { time: { from } }),
  }
  const { items, first, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'list_audit_log',
    { ...filters, limit: PAGE },
    { keep: true },
  )
  const file = (format: 'csv' | 'jsonl'): string => {
    const search = new URLSearchParams({ format, ...(query !== '' && { query }), ...(from !== null && { from }) })
    if (action !== undefined) search.append('actions', action)
    return `/api/files/audit-log?${search}`
  }
  return (
    <Page>
      <PageHeader
        title={t('Audit log')}
        about={t(
          'Who did what to accounts, keys, sources, roles and settings, and who signed in. Entries are never changed.',
        )}
      />
      <FilterBar
        search={{ label: t('Name or e-mail'), value: state.query, onChange: value => change({ query: value }) }}
        choices={[
          { label: t('What'), value: state.action, options: ACTIONS, onChange: value => change({ action: value }) },
          { label: t('When'), value: state.days, options: PERIODS, onChange: value => change({ days: value }) },
        ]}
        width={200}
      >
        <Group gap="xs" ms={{ sm: 'auto' }}>
          <Download href={file('csv')} label="CSV" />
          <Download href={file('jsonl')} label="JSON Lines" />
        </Group>
      </FilterBar>
      {first === undefined &&
        (error === null ? <LoadingState rows={6} /> : <ErrorState error={error} retry={refetch} />)}
      {first !== undefined && items.length === 0 && (
        <EmptyState icon={IconListDetails} title={t('Nothing of this kind')}>
          {t('Change the filters to see more.')}
        </EmptyState>
      )}
      {items.length > 0 && <Entries items={items} />}
      {hasNextPage && (
        <Button mt="sm" variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </Page>
  )
}

export default AuditLog

/** What is shown, as a file, all of it. */
const Download = ({ href, label }: { readonly href: string; readonly label: string }) => (
  <Button
    component="a"
    href={href}
    download
    size="xs"
    variant="default"
    leftSection={<IconDownload size={14} aria-hidden />}
  >
    {label}
  </Button>
)

type Entry = Output<'list_audit_log'>['items'][number]

const Entries = ({ items }: { readonly items: readonly Entry[] }) => (
  <StackingTable label={t('Audit log')} minWidth={760}>
    <Table aria-label={t('Audit log')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={130}>{t('When')}</Table.Th>
          <Table.Th w={180}>{t('Who')}</Table.Th>
          <Table.Th w={220}>{t('What')}</Table.Th>
          <Table.Th>{t('To whom or what')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map(entry => (
          <Table.Tr key={entry.id}>
            <Table.Td>
              <When at={entry.at} />
            </Table.Td>
            <Table.Td>
              <Who of={entry} />
            </Table.Td>
            <Table.Td data-whole>{wordsOf(entry.action)}</Table.Td>
            <Table.Td data-whole>
              <ToWhat of={entry} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </StackingTable>
)

/** A newer version may have written what this one has no words for. */
const wordsOf = (action: string): string => {
  const known = actionOf(action)
  return known === undefined ? action : AUDIT_WORDS[known]
}

const NAMELESS: Readonly<Record<Entry['by_kind'], string>> = {
  person: '',
  key: '',
  operator: t('The operator'),
  installation: t('The installation'),
  nobody: t('Not known'),
}

const Who = ({ of: { by_kind, by_name, key_label, client_address } }: { readonly of: Entry }) => (
  <>
    <Text component="bdi" size="sm" display="block">
      {by_name || NAMELESS[by_kind]}
    </Text>
    {(key_label ?? client_address) !== null && (
      <Text component="bdi" size="xs" c="dimmed" display="block">
        {key_label === null ? client_address : t('by the key {key_label}', { key_label })}
      </Text>
    )}
  </>
)

/** What has no name that could be kept. */
const NAMELESS_SUBJECTS: Readonly<Record<string, string>> = {
  erase_person: t('A person, whose name is not kept'),
  resume_erasure: t('An erasure'),
}

const ToWhat = ({ of: { action, subject, subject_id, detail, workspace_name } }: { readonly of: Entry }) => {
  const details = Object.entries(detail).flatMap(([name, value]) =>
    value === null || value === false
      ? []
      : [`${fromService(name.replaceAll('_', ' '))}: ${DETAIL_WORDS[String(value)] ?? word(String(value))}`],
  )
  const below = [...(workspace_name === null ? [] : [workspace_name]), ...details].join(' · ')
  return (
    <>
      <Text component="bdi" size="sm" display="block" title={subject_id ?? ''}>
        {subject ?? NAMELESS_SUBJECTS[action] ?? subject_id ?? '–'}
      </Text>
      {below !== '' && (
        <Text component="bdi" size="xs" c="dimmed" display="block">
          {below}
        </Text>
      )}
    </>
  )
}
