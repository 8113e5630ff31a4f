"""JUnit XML, which continuous integration reads."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from verify.proof.results import Report, Result
from verify.running.reports.attention import lines_of
from verify.running.reports.lines import unclaimed_lines


def junit(report: Report) -> str:
    """A report as a test suite: one case for each result."""
    failing = sum(r.fails for r in report.results)
    suite = ET.Element(
        "testsuite",
        name="rules verify",
        tests=str(len(report.results)),
        failures=str(failing),
        time=f"{report.seconds:.3f}",
    )
    if report.assumed or report.unclaimed:
        properties = ET.SubElement(suite, "properties")
        for line in report.assumed:
            ET.SubElement(properties, "property", name="assumed", value=line)
        for line in unclaimed_lines(report):
            ET.SubElement(properties, "property", name="not claimed", value=line)
    for result in report.results:
        case = ET.SubElement(
            suite,
            "testcase",
            classname=f"{result.configuration.replace(' ', '.')}.{result.obligation}",
            name=_name(result),
            time=f"{result.seconds:.3f}",
        )
        if result.fails:
            failure = ET.SubElement(case, "failure", message=result.status, type=result.status)
            failure.text = _text(result)
        elif result.waived:
            ET.SubElement(case, "skipped", message=result.waived)
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _name(result: Result) -> str:
    return f"{result.subject} in {result.rule}" if result.rule else result.subject


def _text(result: Result) -> str:
    return "\n".join(lines_of([result]))
