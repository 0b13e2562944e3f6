//! The bill of materials in CycloneDX 1.5: what we ship, as tools read it.

use super::Release;
use super::crates::{self, Package};
use serde_json::json;

pub(super) fn write(release: &Release) -> anyhow::Result<()> {
    let components: Vec<_> = crates::shipped()?.iter().map(component).collect();
    let own = format!("pkg:cargo/tengen@{}", release.version);
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "tengen",
                "version": release.version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components,
        "dependencies": [{
            "ref": own,
            "dependsOn": components.iter().map(|component| component["bom-ref"].clone()).collect::<Vec<_>>(),
        }],
    });
    let file = release.folder.join(format!("tengen-{}.cdx.json", release.version));
    std::fs::write(file, serde_json::to_string_pretty(&document)? + "\n")?;
    Ok(())
}

fn component(package: &Package) -> serde_json::Value {
    // A scope's `@` is escaped in package URLs; the slash after it is not.
    let name = package.name.replace('@', "%40");
    let url = format!("pkg:{}/{name}@{}", package.kind, package.version);
    json!({
        "type": "library",
        "bom-ref": url,
        "name": package.name,
        "version": package.version,
        "purl": url,
        "licenses": [{ "expression": package.licence }],
    })
}
