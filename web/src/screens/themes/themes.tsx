import { Anchor, Button, Group, Table, Text } from '@mantine/core'
import { IconCircleDashed, IconPin } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { useOperationPages } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Arriving } from '../../parts/arriving.tsx'
import { Reference } from '../../parts/inline.tsx'
import { LinkedTable, MoreButton } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { SpokenIn, type Theme, Trend } from './theme-facts.tsx'
import { ThemePage } from './theme-page.tsx'
import { useFoundAnew } from './use-found-anew.ts'

/** `/app/themes` is the list, `/app/themes/THM-7` one of them. */
const Themes = () => {
  const { '*': id = '' } = useParams()
  return id === '' ? <ThemeScreen /> : <ThemePage key={id} id={id} />
}

export default Themes

const ThemeScreen = () => (
  <Page>
    <PageHeader
      title={t('Themes')}
      about={t(
        'What signals are probably about, across kinds and languages. Nobody has decided it: a theme merges nothing, and is no evidence until a person says so.',
      )}
    />
    <Arriving />
    <ThemeList />
  </Page>
)

/** The themes, those with most signals first. */
const ThemeList = () => {
  const [aside, setAside] = useState(false)
  const query = useOperationPages('list_themes', { reader_language: language, limit: 50, ...(aside && { aside }) })
  useFoundAnew()
  const { items, first, error } = query
  if (first === undefined) {
    return error === null ? <LoadingState rows={8} height={72} /> : <ErrorState error={error} retry={query.refetch} />
  }
  if (first.count + first.put_aside === 0) return <NoThemes />
  return (
    <>
      <Group gap="md" mb="sm">
        <Text size="sm" c="dimmed" role="status">
          {aside
            ? t('{themes} put aside.', { themes: counted(first.count, 'theme') })
            : t('{themes} found, those with most signals first.', { themes: counted(first.count, 'theme') })}
        </Text>
        {(aside || first.put_aside > 0) && (
          <Button size="compact-xs" variant="default" onClick={() => setAside(!aside)}>
            {aside ? t('All others') : t('Put aside: {number}', { number: first.put_aside.toLocaleString(language) })}
          </Button>
        )}
      </Group>
      <LinkedTable aria-label={t('Themes')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Theme')}</Table.Th>
            <Table.Th>{t('Name')}</Table.Th>
            <Table.Th data-yields="3" ta="end">
              {t('Signals')}
            </Table.Th>
            <Table.Th data-yields="2" ta="end">
              {t('Last 30 days')}
            </Table.Th>
            <Table.Th data-yields="1" ta="end">
              {t('Claims')}
            </Table.Th>
            <Table.Th data-yields="1" ta="end">
              {t('Solutions')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map(theme => (
            <ThemeRow key={theme.id} theme={theme} />
          ))}
        </Table.Tbody>
      </LinkedTable>
      <MoreButton query={query} />
    </>
  )
}

const NoThemes = () => (
  <EmptyState icon={IconCircleDashed} title={t('No theme is found yet')}>
    {rich(
      'Themes are found automatically: half a minute after there are twelve signals, and again when more come in. <link>Jobs</link> finds them at once.',
      {
        link: inner => (
          <Anchor component={Link} to="/app/pipeline/jobs" inherit underline="always">
            {inner}
          </Anchor>
        ),
      },
    )}
  </EmptyState>
)

/** A theme by its name and sentences of it that differ, with what is in it and what is made of it already. */
const ThemeRow = ({ theme }: { readonly theme: Theme }) => (
  <Table.Tr>
    <Table.Td>
      <Reference of={theme.reference} about={theme.name} />
    </Table.Td>
    <Table.Td w="100%" className="anywhere">
      <Text component="bdi" size="sm" fw={550} display="block">
        {theme.name}
        {theme.standing === 'pinned' && (
          <IconPin size={12} aria-label={t('pinned')} role="img" style={{ marginInlineStart: 4 }} />
        )}
      </Text>
      {theme.quotes.map(({ signal_id, text }) => (
        <Text key={signal_id} size="sm" lineClamp={1} dir="auto" lang="">
          {text}
        </Text>
      ))}
      <SpokenIn theme={theme} />
      <Text size="xs" c="dimmed" component="div" data-instead="3">
        {[counted(theme.signals, 'signal'), counted(theme.claims, 'claim'), counted(theme.solutions, 'Solution')].join(
          ' · ',
        )}
      </Text>
    </Table.Td>
    <Table.Td data-yields="3" ta="end">
      {theme.signals.toLocaleString(language)}
    </Table.Td>
    <Table.Td data-yields="2" ta="end">
      <Trend theme={theme} />
    </Table.Td>
    <Table.Td data-yields="1" ta="end">
      {theme.claims.toLocaleString(language)}
    </Table.Td>
    <Table.Td data-yields="1" ta="end">
      {theme.solutions.toLocaleString(language)}
    </Table.Td>
  </Table.Tr>
)
