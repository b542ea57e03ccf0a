import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { CHANNELS, CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { useOperation } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import type { View } from './view.ts'

const TYPING_MS = 250
const MAX_NODES = 100

interface Props {
  readonly view: View
  readonly sources: readonly string[]
  readonly onChange: (view: Partial<View>) => void
}

/** What is listed, by everything that the pipeline knows of a Signal. */
export const Filters = ({ view, sources, onChange }: Props) => {
  const { data: map } = useOperation('read_map', { limit: MAX_NODES })
  const [typed, setTyped] = useState(view.text)
  useEffect(() => setTyped(view.text), [view.text])
  const search = useDebouncedCallback((text: string) => onChange({ text: text.trim() }), TYPING_MS)
  const nodes = (map?.items ?? []).map(({ path }) => ({ value: path.join('/'), label: path.join(' / ') }))
  return (
    <FilterBar
      width={136}
      search={{
        label: t('Search signals'),
        value: typed,
        onChange: text => {
          setTyped(text)
          search(text)
        },
      }}
      choices={[
        {
          label: t('Classification'),
          value: view.classification,
          options: CLASSIFICATIONS,
          onChange: classification => onChange({ classification }),
        },
        {
          label: t('Claim'),
          value: view.claim,
          options: [
            { value: 'with', label: t('With a claim') },
            { value: 'without', label: t('Without a claim') },
          ],
          onChange: claim => onChange({ claim }),
        },
        { label: t('Node'), value: view.node, options: named(nodes, view.node), onChange: node => onChange({ node }) },
        {
          label: t('Source'),
          value: view.source,
          options: named(
            sources.map(source => ({ value: source, label: source })),
            view.source,
          ),
          onChange: source => onChange({ source }),
        },
        { label: t('Channel'), value: view.channel, options: CHANNELS, onChange: channel => onChange({ channel }) },
      ]}
    />
  )
}

/** What the address names is offered even where the list does not have it. */
const named = (options: readonly { readonly value: string; readonly label: string }[], value: string) =>
  value === '' || options.some(option => option.value === value) ? options : [...options, { value, label: value }]
