/** What a team shares is committed, what is local or bulky is not (A11). */
export const GITIGNORE = `# Written by Cairn. Vaults, _project.md, config.json and curation.json are meant to be committed.
private/
conversations/
sessions/
history/
archive/
state.json
state.json.damaged-*
sources.json
sources.json.damaged-*
.vault/
*.md.bak
*.cairn-tmp
`
