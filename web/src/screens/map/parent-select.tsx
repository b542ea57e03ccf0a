import { Select } from '@mantine/core'
import { t } from '../../language/messages.ts'
import { type OutlinedNode, pathTo } from './outline.ts'

interface ParentSelectProps {
  readonly label: string
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  /** Nodes that it cannot be: the one that is placed, and what is below it. */
  readonly without?: readonly string[]
  /** Whether a dialog begins with it. */
  readonly takesFocus?: boolean
  /** Null: the top. */
  readonly value: string | null
  readonly onChange: (parent: string | null) => void
}

const TOP = ''

/** Where in the map something goes, by its path. */
export const ParentSelect = ({
  label,
  nodes,
  without = [],
  takesFocus = false,
  value,
  onChange,
}: ParentSelectProps) => {
  const refused = new Set(without)
  const paths = [...nodes.keys()].filter(id => !refused.has(id)).map(id => ({ value: id, label: pathTo(nodes, id) }))
  return (
    <Select
      label={label}
      searchable
      {...(takesFocus && { 'data-autofocus': true })}
      allowDeselect={false}
      limit={200}
      nothingFoundMessage={t('No node of that name.')}
      data={[{ value: TOP, label: t('Top level') }, ...paths]}
      value={value ?? TOP}
      onChange={chosen => onChange(chosen === null || chosen === TOP ? null : chosen)}
    />
  )
}
